import Foundation
import Testing

/// The playlists in `Fixtures`.
enum Corpus {
    static let folder = Bundle.module.bundleURL.appendingPathComponent("Fixtures")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".m3u8") }.map { String($0.dropLast(5)) }.sorted()
    }()

    static let namesWithExpectation = names.filter {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0).expected.json").path)
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).m3u8")))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// What a reader must find.
    static func expectation(_ name: String) throws -> Any {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).expected.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(object["expect"])
    }
}
