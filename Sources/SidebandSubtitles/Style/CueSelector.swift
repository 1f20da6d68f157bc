/// A selector of cues, of parts of cues, or of regions (WebVTT §8.2).
struct CueSelector: Hashable {
    /// The subject of a selector.
    enum Subject: Hashable {
        /// `::cue` and `::cue(…)`
        case cue
        /// `::cue-region` and `::cue-region(…)`
        case region
    }

    var subject: Subject
    /// The parts, the outermost first. Empty: the cue as a whole, or every region.
    var parts: [CompoundSelector] = []

    /// How much it counts against others (Selectors 4 §17), as one number.
    var specificity: Int {
        parts.reduce(1) { sum, part in sum + part.conditions.reduce(0) { $0 + $1.specificity } }
    }

    /// Whether it depends on the playback position.
    var dependsOnTime: Bool {
        parts.contains { $0.conditions.contains(.past) || $0.conditions.contains(.future) }
    }
}

/// The tests of one element, and its relation to the element before.
struct CompoundSelector: Hashable {
    /// The relation of an element to the one that the selector names before.
    enum Combinator: Hashable {
        case descendant
        case child
        case nextSibling
        case laterSibling
    }

    /// Something an element must be.
    enum Condition: Hashable {
        case type(String)
        case identifier(String)
        case hasClass(String)
        case attribute(String, AttributeTest)
        case language([String])
        case past
        case future
        case root

        fileprivate var specificity: Int {
            switch self {
            case .identifier: 10_000
            case .type: 1
            default: 100
            }
        }
    }

    /// The test of an attribute's value.
    struct AttributeTest: Hashable {
        /// The sign before `=`, or a blank for equality; `nil` when any value will do.
        var comparison: Character?
        var value = ""
        var ignoresCase = false
    }

    var combinator = Combinator.descendant
    var conditions: [Condition] = []
}
