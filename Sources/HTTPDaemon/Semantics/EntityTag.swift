/// An entity tag, RFC 9110 §8.8.3.
public struct EntityTag: Hashable, Sendable {
    /// Whether it is weak: equal tags do not promise equal bytes.
    public let isWeak: Bool
    /// The text between the quotes.
    public let opaque: String

    /// A strong tag; `nil` if `opaque` has a character that a tag can't have (a quote, a blank, a control).
    public init?(strong opaque: String) {
        guard opaque.utf8.allSatisfy(\.isEntityTagCharacter) else { return nil }
        isWeak = false
        self.opaque = opaque
    }

    /// Reads `"…"` or `W/"…"`.
    public init?(_ text: String) {
        var rest = text.utf8[...]
        guard let tag = EntityTag(parsing: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    /// The tag in the form of a field value.
    public var fieldValue: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

    /// Strong comparison, RFC 9110 §8.8.3.2: the tags are equal, and neither is weak.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Weak comparison: equal, weak or not.
    public func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Takes a tag from the start of `text`.
    fileprivate init?(parsing text: inout Substring.UTF8View) {
        var rest = text
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst()
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")),
            rest[..<quote].allSatisfy(\.isEntityTagCharacter)
        else { return nil }
        opaque = String(decoding: rest[..<quote], as: UTF8.self)
        text = rest[rest.index(after: quote)...]
    }
}

/// The value of If-Match or If-None-Match, RFC 9110 §13.1.1.
enum EntityTagCondition: Equatable {
    case any
    case tags([EntityTag])

    /// `nil` if it is not valid.
    init?(_ value: String) {
        var rest = value.utf8.trimmingBlanks()
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        while true {
            rest = rest.drop { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }
            guard !rest.isEmpty else { break }
            guard let tag = EntityTag(parsing: &rest) else { return nil }
            tags.append(tag)
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }
}

extension UInt8 {
    /// etagc
    fileprivate var isEntityTagCharacter: Bool { self == 0x21 || self >= 0x23 && self != 0x7F }
}
