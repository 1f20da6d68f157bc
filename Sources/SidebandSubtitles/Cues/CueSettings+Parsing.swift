internal import ASCII

extension CueSettings {
    /// Reads the settings after a cue's timings (WebVTT §6.3, "parse the WebVTT cue settings").
    ///
    /// - Parameter hasRegion: whether the track has a region of a name.
    /// - Returns: the settings, and whether each of them was understood.
    static func parse(
        _ reader: ByteReader, hasRegion: (String) -> Bool
    ) -> (settings: CueSettings, isClean: Bool) {
        var reader = reader
        var settings = CueSettings()
        var isClean = true
        while let token = reader.token() {
            let understood = Setting(reader.bytes[token]).map { settings.apply($0, hasRegion: hasRegion) }
            isClean = isClean && understood == true
        }
        return (settings, isClean)
    }

    private mutating func apply(_ setting: Setting, hasRegion: (String) -> Bool) -> Bool {
        let value = setting.value
        if setting.name.equals("align") { return set(&textAlignment, from: value) }
        if setting.name.equals("line") { return applyLine(value) }
        if setting.name.equals("position") { return applyPosition(value) }
        if setting.name.equals("size") { return applySize(value) }
        if setting.name.equals("region") { return applyRegion(value, hasRegion) }
        if setting.name.equals("vertical") { return applyVertical(value) }
        return false
    }

    private mutating func applyVertical(_ value: ArraySlice<UInt8>) -> Bool {
        let isKnown = set(&writingDirection, from: value)
        if writingDirection != .horizontal { region = nil }
        return isKnown
    }

    private mutating func applyLine(_ value: ArraySlice<UInt8>) -> Bool {
        let (place, alignment) = value.splitAtComma()
        let isPercentage = place.last == .percent
        let parsed = isPercentage ? Decimal.parsePercentage(place) : CueSettings.lineNumber(place)
        guard let number = parsed else { return false }
        if let alignment, !set(&lineAlignment, from: alignment) { return false }
        line = number
        snapsToLines = !isPercentage
        region = nil
        return true
    }

    private mutating func applyPosition(_ value: ArraySlice<UInt8>) -> Bool {
        let (place, alignment) = value.splitAtComma()
        guard let number = Decimal.parsePercentage(place) else { return false }
        if let alignment, alignment.equals("auto") || !set(&positionAlignment, from: alignment) {
            return false
        }
        position = number
        return true
    }

    private mutating func applySize(_ value: ArraySlice<UInt8>) -> Bool {
        guard let number = Decimal.parsePercentage(value) else { return false }
        size = number
        if size != 100 { region = nil }
        return true
    }

    private mutating func applyRegion(_ value: ArraySlice<UInt8>, _ hasRegion: (String) -> Bool) -> Bool {
        let name = DecodedText(Array(value), 0..<value.count, rewriting: true).string
        region = hasRegion(name) ? name : nil
        return region != nil
    }

    /// A number with an optional minus sign. The number zero never is negative.
    private static func lineNumber(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.first == .hyphen else { return Decimal.parse(text) }
        return Decimal.parse(text.dropFirst()).map { $0 == 0 ? 0 : -$0 }
    }

    private func set<Keyword: RawRepresentable<String>>(
        _ property: inout Keyword, from value: ArraySlice<UInt8>
    ) -> Bool {
        guard !value.isEmpty, let keyword = Keyword(rawValue: String(decoding: value, as: UTF8.self)) else {
            return false
        }
        property = keyword
        return true
    }
}

/// A `name:value` pair of a cue or region; neither part is empty.
struct Setting {
    var name: ArraySlice<UInt8>
    var value: ArraySlice<UInt8>

    init?(_ token: ArraySlice<UInt8>) {
        guard let colon = token.firstIndex(of: .colon), colon > token.startIndex, colon + 1 < token.endIndex
        else { return nil }
        name = token[..<colon]
        value = token[(colon + 1)...]
    }
}

extension ArraySlice<UInt8> {
    /// The parts before and after the first comma; the second is `nil` without a comma.
    func splitAtComma() -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let comma = firstIndex(of: .comma) else { return (self, nil) }
        return (self[..<comma], self[(comma + 1)...])
    }
}
