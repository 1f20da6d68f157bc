/// Finds the elements that a selector matches.
///
/// It goes over the elements once and keeps for each the parts of the selector that end there, as bits: no way through the
/// tree is tried twice, however the selector is made.
struct SelectorMatcher {
    private let parts: [CompoundSelector]
    private let elements: [CueElements.Element]
    /// For each element: the parts that match with their end at it.
    private var here: [UInt32] = []
    /// The selectors that match the element or an element around it.
    private var around: [UInt32] = []
    /// The selectors that match the element or a sibling before it.
    private var before: [UInt32] = []

    /// The indices of the elements that match, in order.
    static func matches(_ selector: CueSelector, _ elements: [CueElements.Element]) -> [Int] {
        guard let last = selector.parts.indices.last else { return [0] }
        var matcher = SelectorMatcher(selector.parts, elements)
        matcher.run()
        return matcher.here.indices.filter { matcher.here[$0] >> last & 1 == 1 }
    }

    private init(_ parts: [CompoundSelector], _ elements: [CueElements.Element]) {
        self.parts = parts
        self.elements = elements
    }

    private mutating func run() {
        for element in elements {
            var bits: UInt32 = 0
            for (index, part) in parts.enumerated() where part.conditions.allSatisfy(element.satisfies) {
                if index == 0 || leads(to: part.combinator, element) >> (index - 1) & 1 == 1 {
                    bits |= 1 << index
                }
            }
            here.append(bits)
            around.append(bits | (element.parent.map { around[$0] } ?? 0))
            before.append(bits | (element.previousSibling.map { before[$0] } ?? 0))
        }
    }

    /// The parts that match at an element from which a combinator leads to this one.
    private func leads(to combinator: CompoundSelector.Combinator, _ element: CueElements.Element) -> UInt32 {
        switch combinator {
        case .descendant: element.parent.map { around[$0] } ?? 0
        case .child: element.parent.map { here[$0] } ?? 0
        case .nextSibling: element.previousSibling.map { here[$0] } ?? 0
        case .laterSibling: element.previousSibling.map { before[$0] } ?? 0
        }
    }
}

extension CueElements.Element {
    fileprivate func satisfies(_ condition: CompoundSelector.Condition) -> Bool {
        switch condition {
        case .type(let name): content?.tag.rawValue == name
        case .identifier(let name): content == nil && identifier == name
        case .hasClass(let name): content?.classes.contains(name) ?? false
        case .attribute(let name, let test): attribute(name).map(test.accepts) ?? false
        case .language(let ranges): ranges.contains { LanguageRange.matches($0, language) }
        case .past: isPast
        case .future: isFuture
        case .root: content == nil
        }
    }
}

extension CompoundSelector.AttributeTest {
    /// Whether an attribute's value matches (Selectors 4 §6).
    fileprivate func accepts(_ text: String) -> Bool {
        guard let comparison else { return true }
        let (given, wanted) = ignoresCase ? (text.asciiLowercased, value.asciiLowercased) : (text, value)
        switch comparison {
        case "~": return given.split(separator: " ").contains { $0 == wanted }
        case "|": return given == wanted || given.hasPrefix(wanted + "-")
        case "^": return !wanted.isEmpty && given.hasPrefix(wanted)
        case "$": return !wanted.isEmpty && given.hasSuffix(wanted)
        case "*": return !wanted.isEmpty && AttributeText.contains(given, wanted)
        default: return given == wanted
        }
    }
}

private enum AttributeText {
    static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}

/// Language ranges (RFC 4647 §3.3.2, extended filtering), as `:lang()` uses them.
enum LanguageRange {
    static func matches(_ range: String, _ tag: String) -> Bool {
        var wanted = range.asciiLowercased.split(separator: "-", omittingEmptySubsequences: false)[...]
        var given = tag.asciiLowercased.split(separator: "-")[...]
        guard let first = given.popFirst(), let start = wanted.popFirst() else { return false }
        if start != "*" && start != first { return false }
        while let next = wanted.first {
            if next == "*" || next == given.first {
                if next != "*" { given.removeFirst() }
                wanted.removeFirst()
            } else {
                guard let other = given.popFirst(), other.utf8.count > 1 else { return false }
            }
        }
        return true
    }
}
