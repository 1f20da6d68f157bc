internal import Foundation

/// Bodies of requests.
enum JSONBody {
    /// Reads a JSON object; no body at all counts as an empty one. `nil` when it does not fit the type.
    static func decode<T: Decodable>(_ bytes: [UInt8]) -> T? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(T.self, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
    }
}
