internal import Foundation

/// Bodies of requests.
package enum JSONBody {
    /// Reads a JSON object; no body at all counts as an empty one. `nil` when it does not fit the type.
    package static func decode<T: Decodable>(_ bytes: [UInt8]) -> T? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(T.self, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
    }

    /// Writes a body that reads back as the same value.
    package static func encode(_ body: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8](try encoder.encode(body))
    }
}

extension UInt64 {
    /// Whether the catalog and answers can hold this number of bytes.
    package var isByteCount: Bool { self <= Int64.max }
}
