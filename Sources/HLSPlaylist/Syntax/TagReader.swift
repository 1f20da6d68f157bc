internal import ASCII

/// The steps that the parsers of both kinds of playlist share.
protocol TagReader {
    var bytes: [UInt8] { get }
    var scope: VariableScope { get set }
    /// How many attributes may still come.
    var attributeBudget: Int { get set }
}

extension TagReader {
    /// The attribute list of a line, its variables replaced.
    mutating func attributes(
        from value: Int, _ line: Line, isDefinition: Bool = false
    ) throws(PlaylistError) -> AttributeList {
        var parser = AttributeListParser(bytes: bytes, position: value, line: line)
        var pairs = try parser.parse()
        try spend(pairs.count + 4, line)
        guard bytes[value..<line.end].contains(.openBrace) else { return AttributeList(pairs) }
        try scope.substitute(in: &pairs, line: line.number, isDefinition: isDefinition)
        return AttributeList(pairs)
    }

    /// Like `attributes`, but `nil` for a malformed list: for tags that may be ignored.
    mutating func optionalAttributes(from value: Int, _ line: Line) throws(PlaylistError) -> AttributeList? {
        do throws(PlaylistError) {
            return try attributes(from: value, line)
        } catch {
            guard error.code == .badAttributeList else { throw error }
            return nil
        }
    }

    /// Counts attributes against the limit.
    mutating func spend(_ count: Int, _ line: Line) throws(PlaylistError) {
        attributeBudget -= count
        guard attributeBudget >= 0 else { throw failure(.overLimit(.attributes), line) }
    }

    func failure(_ code: PlaylistError.Code, _ line: Line) -> PlaylistError {
        PlaylistError(code: code, line: line.number, excerpt: Excerpt.make(bytes[line.start..<line.end]))
    }
}
