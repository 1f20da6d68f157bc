/// Width and height in pixels (RFC 8216bis §4.2, decimal-resolution).
public struct Resolution: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    public var width: Int
    /// Rows of pixels.
    public var height: Int

    /// A resolution of the two.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads `1920x1080`; `nil` for any other form.
    public init?(_ text: String) {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "x") }
        guard parts.count == 2, let width = DecimalText.integer(parts[0]),
            let height = DecimalText.integer(parts[1])
        else { return nil }
        self.init(width: width, height: height)
    }

    /// A text such as `1920x1080`.
    public var description: String { "\(width)x\(height)" }
}

extension AttributeList {
    /// A decimal resolution, such as `1920x1080`.
    public func resolution(_ name: String) -> Resolution? {
        self[name].flatMap(Resolution.init)
    }
}
