internal import FoundationEssentials

/// JSON of `Codable` values, for the program itself or programs of the user. Names are sorted, so that equal values
/// have equal texts.
package enum JSONText {
    /// A value for a column of the catalog, with a backslash before each slash. Digests are made of this form: it
    /// must never change.
    package static func encode(_ value: some Encodable) throws -> String {
        try text(of: value, .sortedKeys)
    }

    /// A list; `nil` for an empty one.
    package static func encode(orNull list: [some Encodable]) throws -> String? {
        list.isEmpty ? nil : try encode(list)
    }

    /// A value for other programs, with plain slashes.
    ///
    /// - Parameter hasLines: whether each member has a line of its own.
    package static func plain(_ value: some Encodable, hasLines: Bool = false) throws -> String {
        try text(
            of: value,
            hasLines
                ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
                : [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func text(
        of value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
