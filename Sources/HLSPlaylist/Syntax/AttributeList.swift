internal import ASCII

/// The attributes of a tag in their order (RFC 8216bis §4.2); references to variables are replaced.
public struct AttributeList: Sendable, Hashable {
    /// A value as it is written.
    public enum Value: Sendable, Hashable {
        /// The text between the quotes of a quoted string.
        case quoted(String)
        /// A number, a resolution, or a word without quotes.
        case plain(String)

        /// The text, without quotes.
        public var text: String {
            switch self {
            case .quoted(let text), .plain(let text): text
            }
        }

        /// The text as written in a playlist.
        public var verbatim: String {
            switch self {
            case .quoted(let text): "\"\(text)\""
            case .plain(let text): text
            }
        }
    }

    /// A name and its value.
    public struct Pair: Sendable, Hashable {
        /// The name, such as `GROUP-ID`.
        public var name: String
        /// The value.
        public var value: Value

        /// A pair of the two.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The attributes in the order of the tag.
    public var pairs: [Pair]

    /// A list of the given attributes.
    public init(_ pairs: [Pair] = []) {
        self.pairs = pairs
    }

    /// Reads a list; the error's line is 1.
    public init(parsing text: String) throws(PlaylistError) {
        let bytes = Array(text.utf8)
        let line = Line(start: 0, end: bytes.count, number: 1)
        var parser = AttributeListParser(bytes: bytes, position: 0, line: line)
        self.init(try parser.parse())
    }

    /// The text of the first attribute of that name, without quotes.
    public subscript(name: String) -> String? { value(name)?.text }

    /// The value of the first attribute of that name.
    public func value(_ name: String) -> Value? {
        pairs.first { $0.name == name }?.value
    }

    /// The text of a quoted attribute; `nil` when it is missing or not quoted.
    public func quoted(_ name: String) -> String? {
        if case .quoted(let text) = value(name) { text } else { nil }
    }

    /// The text of an attribute that is not quoted; `nil` when it is missing or quoted.
    public func plain(_ name: String) -> String? {
        if case .plain(let text) = value(name) { text } else { nil }
    }

    /// A decimal integer from 0 to `Int.max`; a fraction is cut off as players do.
    public func integer(_ name: String) -> Int? {
        guard let text = self[name] else { return nil }
        guard let point = text.utf8.firstIndex(of: .dot) else { return DecimalText.integer(text.utf8) }
        return DecimalText.decimal(text.utf8) == nil ? nil : DecimalText.integer(text.utf8[..<point])
    }

    /// A decimal floating point number, with or without a sign.
    public func decimal(_ name: String) -> Double? {
        self[name].flatMap { DecimalText.decimal($0.utf8) }
    }

    /// Whether an enumerated attribute is `YES`.
    public func isYes(_ name: String) -> Bool { self[name] == "YES" }

    /// The list as written in a playlist: `NAME=VALUE` joined by commas.
    public var verbatim: String {
        pairs.map { "\($0.name)=\($0.value.verbatim)" }.joined(separator: ",")
    }
}
