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
