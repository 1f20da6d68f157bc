/// Reads the selectors of a rule (Selectors 4 §18).
///
/// The element that `::cue` belongs to has no name and no attributes (WebVTT §7.3), so that nothing may be before it.
struct SelectorReader {
    /// How many parts a selector may have; a longer one is invalid.
    static let maximumParts = 32
    private var tokens: ArraySlice<CSSToken>

    /// The selectors before a rule's block; `nil` when one of them is invalid, which makes the whole rule so.
    static func read(_ prelude: [CSSToken]) -> [CueSelector]? {
        var selectors: [CueSelector] = []
        for part in prelude.commaSeparated {
            guard let found = pseudoElement(part) else { return nil }
            selectors += found
        }
        return selectors
    }

    private static func pseudoElement(_ tokens: [CSSToken]) -> [CueSelector]? {
        guard tokens.count == 3, tokens[0] == .colon, tokens[1] == .colon else { return nil }
        switch tokens[2] {
        case .ident(let name): return subject(name.asciiLowercased).map { [CueSelector(subject: $0)] }
        case .function(let name, let arguments):
            guard let subject = subject(name) else { return nil }
            let parts = arguments.commaSeparated.map { complexSelector($0, subject) }
            let valid = parts.compactMap { $0 }
            return valid.count == parts.count ? valid : nil
        default: return nil
        }
    }

    private static func subject(_ name: String) -> CueSelector.Subject? {
        switch name {
        case "cue": .cue
        case "cue-region": .region
        default: nil
        }
    }

    private static func complexSelector(
        _ tokens: [CSSToken], _ subject: CueSelector.Subject
    ) -> CueSelector? {
        var reader = SelectorReader(tokens: tokens[...])
        var selector = CueSelector(subject: subject)
        while let part = reader.part(isFirst: selector.parts.isEmpty) {
            selector.parts.append(part)
            if selector.parts.count > maximumParts { return nil }
        }
        return reader.tokens.isEmpty && !selector.parts.isEmpty ? selector : nil
    }

    private mutating func part(isFirst: Bool) -> CompoundSelector? {
        let start = tokens
        guard let combinator = isFirst ? .descendant : combinator() else { return nil }
        skipNamespace()
        var part = CompoundSelector(combinator: combinator)
        var isUniversal = false
        if tokens.first == .delimiter("*") {
            tokens.removeFirst()
            isUniversal = true
        } else if case .ident(let name)? = tokens.first {
            tokens.removeFirst()
            part.conditions.append(.type(name))
        }
        while let condition = condition() { part.conditions.append(condition) }
        guard part.conditions.isEmpty, !isUniversal else { return part }
        // A combinator must be followed by a compound selector.
        if combinator != .descendant { tokens = start }
        return nil
    }

    /// Skips `*|` and `|`: cues have no namespace (WebVTT §8.2.1).
    private mutating func skipNamespace() {
        let prefix = tokens.first == .delimiter("*") ? 2 : 1
        guard tokens.prefix(prefix).last == .delimiter("|") else { return }
        tokens.removeFirst(prefix)
    }

    private mutating func combinator() -> CompoundSelector.Combinator? {
        let hadSpace = tokens.first == .whitespace
        tokens = tokens.drop { $0 == .whitespace }
        guard case .delimiter(let sign)? = tokens.first, let combinator = Self.combinators[sign] else {
            return hadSpace ? .descendant : nil
        }
        tokens = tokens.dropFirst().drop { $0 == .whitespace }
        return combinator
    }

    private static let combinators: [Character: CompoundSelector.Combinator] = [
        ">": .child, "+": .nextSibling, "~": .laterSibling,
    ]

    private mutating func condition() -> CompoundSelector.Condition? {
        switch tokens.first {
        case .hash(let name): return taking(1, .identifier(name))
        case .delimiter("."):
            guard case .ident(let name)? = tokens.dropFirst().first else { return nil }
            return taking(2, .hasClass(name))
        case .block(UInt8(ascii: "["), let contents):
            return attribute(contents.words).flatMap { taking(1, $0) }
        case .colon: return pseudoClass(tokens.dropFirst().first).flatMap { taking(2, $0) }
        default: return nil
        }
    }

    private mutating func taking(
        _ count: Int, _ condition: CompoundSelector.Condition
    ) -> CompoundSelector.Condition {
        tokens.removeFirst(count)
        return condition
    }

    private func pseudoClass(_ token: CSSToken?) -> CompoundSelector.Condition? {
        switch token {
        case .ident(let name):
            switch name.asciiLowercased {
            case "past": .past
            case "future": .future
            case "root": .root
            default: nil
            }
        case .function("lang", let arguments): language(arguments)
        default: nil
        }
    }

    private func language(_ arguments: [CSSToken]) -> CompoundSelector.Condition? {
        let ranges = arguments.commaSeparated.map { part -> String? in
            switch part.first {
            case .ident(let name)? where part.count == 1: name.asciiLowercased
            case .string(let name)? where part.count == 1: name.asciiLowercased
            default: nil
            }
        }
        let valid = ranges.compactMap { $0 }
        return valid.count == ranges.count ? .language(valid) : nil
    }

    private func attribute(_ words: [CSSToken]) -> CompoundSelector.Condition? {
        guard case .ident(let name)? = words.first else { return nil }
        var rest = words.dropFirst()
        if rest.isEmpty { return .attribute(name, .init()) }
        var test = CompoundSelector.AttributeTest(comparison: " ")
        if case .delimiter(let sign)? = rest.first, "~|^$*".contains(sign) {
            test.comparison = sign
            rest.removeFirst()
        }
        guard rest.popFirst() == .delimiter("=") else { return nil }
        switch rest.popFirst() {
        case .ident(let value), .string(let value): test.value = value
        default: return nil
        }
        guard let flag = rest.popFirst() else { return .attribute(name, test) }
        test.ignoresCase = flag.keyword == "i"
        return rest.isEmpty && (test.ignoresCase || flag.keyword == "s") ? .attribute(name, test) : nil
    }
}
