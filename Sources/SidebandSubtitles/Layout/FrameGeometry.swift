/// The size of a picture in pixels.
public struct FrameSize: Sendable, Hashable {
    /// From 16 to 8192.
    public let width: Int
    /// From 16 to 8192.
    public let height: Int

    /// A size; `nil` unless both are within 16 and 8192.
    public init?(width: Int, height: Int) {
        guard FrameSize.range.contains(width), FrameSize.range.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// The size nearest to a picture's that is allowed.
    init(within picture: PictureSize) {
        width = min(max(picture.width, FrameSize.range.lowerBound), FrameSize.range.upperBound)
        height = min(max(picture.height, FrameSize.range.lowerBound), FrameSize.range.upperBound)
    }

    /// Reads `1280x720`.
    public init?(_ text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        self.init(width: width, height: height)
    }

    /// The lengths that a side may have, in pixels.
    public static let range = 16...8192
}

/// A rectangle in pixels, from the picture's top left.
public struct FrameRect: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// A rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The right edge.
    public var right: Double { x + width }
    /// The bottom edge.
    public var bottom: Double { y + height }

    /// Less than this is no overlap: percentages do not add up exactly.
    private static let tolerance = 0.01

    /// Whether two rectangles have more than an edge in common.
    func overlaps(_ other: FrameRect) -> Bool {
        x + FrameRect.tolerance < other.right && other.x + FrameRect.tolerance < right
            && y + FrameRect.tolerance < other.bottom && other.y + FrameRect.tolerance < bottom
    }

    /// Whether the rectangle lies within a picture.
    func isWithin(_ frame: FrameSize) -> Bool {
        x >= -FrameRect.tolerance && y >= -FrameRect.tolerance
            && right <= Double(frame.width) + FrameRect.tolerance
            && bottom <= Double(frame.height) + FrameRect.tolerance
    }

    func moved(x: Double = 0, y: Double = 0) -> FrameRect {
        FrameRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }
}
