internal import ASCII

/// The variables defined so far, and the text they are put into (RFC 8216bis §4.3).
struct VariableScope {
    private(set) var values: [String: String] = [:]
    private let context: VariableContext
    private let queryItems: [String: String]?
    private var isDeclaring = false
    /// Defined names whose value the context could not tell; references to them stay.
    private var unknown: Set<String> = []
    /// The first reference left as text because no variable was defined yet.
    private var firstLiteral: (name: String, line: Int)?
    private var budget: Int

    init(context: VariableContext, limit: Int) {
        self.context = context
        queryItems = context.playlistURL.map { URIReference($0).queryItems }
        budget = limit
    }

    /// Reads an `EXT-X-DEFINE`.
    mutating func define(_ attributes: AttributeList, line: Int) throws(PlaylistError) {
        if let literal = firstLiteral {
            throw PlaylistError(code: .undefinedVariable(literal.name), line: literal.line)
        }
        isDeclaring = true
        if let name = attributes["NAME"] {
            try add(name, attributes["VALUE"] ?? "", line: line)
        } else if let name = attributes["IMPORT"] {
            try add(name, from: context.imported, line: line)
        } else if let name = attributes["QUERYPARAM"] {
            try add(name, from: queryItems, line: line)
        } else {
            throw PlaylistError(code: .missingAttribute("NAME"), line: line)
        }
    }

    private mutating func add(_ name: String, from source: [String: String]?, line: Int) throws(PlaylistError)
    {
        guard let source else {
            try checkIsNew(name, line: line)
            unknown.insert(name)
            return
        }
        guard let value = source[name] else {
            throw PlaylistError(code: .undefinedVariable(name), line: line)
        }
        try add(name, value, line: line)
    }

    private mutating func add(_ name: String, _ value: String, line: Int) throws(PlaylistError) {
        try checkIsNew(name, line: line)
        values[name] = value
    }

    private func checkIsNew(_ name: String, line: Int) throws(PlaylistError) {
        guard values[name] == nil, !unknown.contains(name) else {
            throw PlaylistError(code: .duplicateVariable(name), line: line)
        }
    }

    /// The text with each `{$name}` replaced once; replaced text is not searched again.
    ///
    /// Before the first `EXT-X-DEFINE` nothing is a reference, unless a definition follows later.
    mutating func substitute(_ text: String, line: Int, isDefinition: Bool = false) throws(PlaylistError)
        -> String
    {
        var rest = text.utf8[...]
        var result = ""
        var found = false
        while let reference = VariableReference.first(in: rest) {
            let value = isDefinition ? values[reference.name] : try lookUp(reference.name, line: line)
            result += String(Substring(rest[..<reference.range.lowerBound]))
            result += value ?? String(Substring(rest[reference.range]))
            rest = rest[reference.range.upperBound...]
            found = true
            guard result.utf8.count <= budget else {
                throw PlaylistError(code: .overLimit(.substitutedBytes), line: line)
            }
        }
        guard found else { return text }
        result += String(Substring(rest))
        budget -= min(budget, result.utf8.count)
        return result
    }

    private mutating func lookUp(_ name: String, line: Int) throws(PlaylistError) -> String? {
        if let value = values[name] { return value }
        if unknown.contains(name) { return nil }
        guard !isDeclaring else { throw PlaylistError(code: .undefinedVariable(name), line: line) }
        if firstLiteral == nil { firstLiteral = (name, line) }
        return nil
    }
}

/// A `{$name}` in a text.
private struct VariableReference {
    var name: String
    var range: Range<String.Index>

    static func first(in text: Substring.UTF8View) -> VariableReference? {
        var rest = text
        while let open = rest.firstIndex(of: .openBrace) {
            rest = rest[rest.index(after: open)...]
            guard rest.first == .dollar else { continue }
            let name = rest.dropFirst().prefix {
                $0.isLetter || $0.isDigit || $0 == .hyphen || $0 == UInt8(ascii: "_")
            }
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == .closeBrace else {
                continue
            }
            return VariableReference(
                name: String(Substring(name)), range: open..<rest.index(after: name.endIndex))
        }
        return nil
    }
}

extension VariableScope {
    /// Replaces references in quoted strings and in hexadecimal values, where the RFC allows them.
    mutating func substitute(
        in pairs: inout [AttributeList.Pair], line: Int, isDefinition: Bool
    ) throws(PlaylistError) {
        for index in pairs.indices {
            switch pairs[index].value {
            case .quoted(let text):
                let result = try substitute(text, line: line, isDefinition: isDefinition)
                pairs[index].value = AttributeList.Value.quoted(result).writable
            case .plain(let text):
                let result = try substitute(text, line: line, isDefinition: isDefinition)
                pairs[index].value = AttributeList.Value.plain(result).writable
            }
        }
    }
}
