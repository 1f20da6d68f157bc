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

    /// The nearest permitted size to a picture's.
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

/// The size of a picture in pixels.
public struct PictureSize: Sendable, Hashable {
    /// From left to right, at least 1.
    public let width: Int
    /// From top to bottom, at least 1.
    public let height: Int

    /// A size; each side is taken to be from 1 to 16,384 pixels.
    public init(width: Int = 1280, height: Int = 720) {
        self.width = min(max(width, 1), 16_384)
        self.height = min(max(height, 1), 16_384)
    }
}
