internal import ASCII

/// A part of the picture that shows cues together (WebVTT §3.4).
public struct CueRegion: Sendable, Hashable {
    /// A point, in percent from 0 to 100 of the width and of the height of its surrounding box.
    public struct Anchor: Sendable, Hashable {
        /// From the left, in percent.
        public var x: Double
        /// From the top, in percent.
        public var y: Double

        /// A point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The name by which cues refer to the region; empty when it has none.
    public var identifier = ""
    /// The width, in percent from 0 to 100 of the picture's.
    public var width = 100.0
    /// The height in lines of text: a whole number of any size.
    public var lines = 3.0
    /// The point of the region that lies on `viewportAnchor`.
    public var anchor = Anchor(x: 0, y: 100)
    /// The point of the picture on which `anchor` lies.
    public var viewportAnchor = Anchor(x: 0, y: 100)
    /// Whether earlier cues move up when one is added (`scroll:up`).
    public var scrollsUp = false

    /// The region that a block without settings describes.
    public init() {}

    /// Reads the lines of a `REGION` block (WebVTT §6.2).
    ///
    /// - Returns: the region, and whether each setting was understood.
    static func parse(_ reader: ByteReader) -> (region: CueRegion, isClean: Bool) {
        var reader = reader
        var region = CueRegion()
        var isClean = true
        while let token = reader.token() {
            let understood = Setting(reader.bytes[token]).map { region.apply($0) }
            isClean = isClean && understood == true
        }
        return (region, isClean)
    }

    private mutating func apply(_ setting: Setting) -> Bool {
        let value = setting.value
        if setting.name.equals("id") {
            identifier = DecodedText(Array(value), 0..<value.count, rewriting: true).string
            return true
        }
        if setting.name.equals("width") { return assign(Decimal.parsePercentage(value), to: \.width) }
        if setting.name.equals("lines") {
            return assign(value.allSatisfy(\.isDigit) ? Decimal.parse(value) : nil, to: \.lines)
        }
        if setting.name.equals("regionanchor") { return assign(Anchor(value), to: \.anchor) }
        if setting.name.equals("viewportanchor") { return assign(Anchor(value), to: \.viewportAnchor) }
        if setting.name.equals("scroll") { return assign(value.equals("up") ? true : nil, to: \.scrollsUp) }
        return false
    }

    private mutating func assign<Value>(
        _ value: Value?, to property: WritableKeyPath<CueRegion, Value>
    ) -> Bool {
        guard let value else { return false }
        self[keyPath: property] = value
        return true
    }
}

extension CueRegion.Anchor {
    fileprivate init?(_ value: ArraySlice<UInt8>) {
        guard case (let first, let second?) = value.splitAtComma(), let x = Decimal.parsePercentage(first),
            let y = Decimal.parsePercentage(second)
        else { return nil }
        self.init(x: x, y: y)
    }
}
