internal import FoundationEssentials

/// Small values kept as JSON in a column.
package enum JSONText {
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A list; nothing for one that is empty.
    package static func encode(orNull list: [some Encodable]) throws -> String? {
        list.isEmpty ? nil : try encode(list)
    }

    package static func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
