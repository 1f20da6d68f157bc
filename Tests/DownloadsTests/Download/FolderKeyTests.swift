import Foundation
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import Licensing
@testable import StoreFiles
@testable import StoreModel

@Suite("A content key in a folder of plain HLS")
struct FolderKeyTests {
    private let folder: TemporaryDirectory
    private let key = [UInt8](40..<56)

    init() throws { folder = try TemporaryDirectory() }

    private func url(_ name: String) -> String { LocalFolder.url(FilePath(folder.file(name))) }

    @Test("is read from its file")
    func read() async throws {
        try folder.write(key, to: "keys/k.key")
        let source = LocalFolder(root: FilePath(folder.path))
        #expect(try await source.key(url("keys/k.key")) == key)
    }

    @Test("is missing if it has no file; the error tells that the folder lacks it")
    func missing() async throws {
        try folder.write(key, to: "k.key")
        let source = LocalFolder(root: FilePath(folder.path))
        let error = await failure { _ = try await source.key(url("other.key")) }
        guard case .key(.notInFolder)? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

@Suite("A folder of plain HLS")
struct LocalFolderTests {
    private let folder: TemporaryDirectory
    private let bytes = OriginResource.pattern(1000)
    private var source: LocalFolder { LocalFolder(root: FilePath(folder.file("root"))) }

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(bytes, to: "root/a b.ts")
        try folder.write(bytes, to: "other.ts")
    }

    private func url(_ name: String) -> String { LocalFolder.url(FilePath(folder.file(name))) }

    private func unit(
        _ name: String = "root/a b.ts", range: ClosedOffsetRange? = nil, size: UInt64? = nil,
        sha256: [UInt8]? = nil
    ) -> UnitRecord {
        UnitRecord(
            kind: .segment, number: 0, start: 0, duration: 4, url: url(name), range: range, size: size,
            sha256: sha256)
    }

    @Test("has the bytes of a unit if they are those that were copied, as far as these are known")
    func has() throws {
        let hash = try FilePieces.sha256(of: FilePath(folder.file("root/a b.ts")))
        let other = [UInt8](repeating: 0, count: 32)
        let end = ClosedOffsetRange(offset: 900, length: 100)
        let sound = [
            unit(), unit(size: 1000), unit(sha256: hash), unit(size: 1000, sha256: hash), unit(range: end),
        ]
        for unit in sound { #expect(try source.has(unit), "\(unit)") }
        let lost = [
            unit(size: 999), unit(sha256: other), unit(size: 1001, sha256: hash), unit("root/gone.ts"),
            unit("other.ts"), unit(range: end, size: 99),
            unit(range: ClosedOffsetRange(offset: 900, length: 101)),
        ]
        for unit in lost { #expect(try !source.has(unit), "\(unit)") }
    }

    @Test("gives the beginning of a unit, and no more than the unit")
    func beginning() async throws {
        let place = url("root/a b.ts")
        let range = ClosedOffsetRange(offset: 100, length: 50)
        let whole = try await source.beginning(of: place, range: nil, count: 10, isNeeded: true)
        let part = try await source.beginning(of: place, range: range, count: 40, isNeeded: true)
        let all = try await source.beginning(of: place, range: range, count: 60, isNeeded: true)
        #expect(whole == Array(bytes[..<10]))
        #expect(part == Array(bytes[100..<140]) && all == Array(bytes[100..<150]))
    }

    @Test("has no file outside of it, not by a link either")
    func outside() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("root/link.ts"), withDestinationPath: folder.file("other.ts"))
        #expect(try source.path(url("root/a b.ts")) == FilePath(folder.file("root/a b.ts")))
        #expect(try source.path(url("root/gone.ts")) == FilePath(folder.file("root/gone.ts")))
        let urls = [
            url("other.ts"), url("root/../other.ts"), url("root/link.ts"), "http://host/root/a%20b.ts",
            "a%20b.ts",
        ]
        for text in urls {
            let error = await failure { _ = try source.path(text) }
            guard case .notImportable? = error?.code else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
    }
}

@Suite("The keys of an exported folder")
struct SealedKeyProviderTests {
    private let provider = SealedKeyProvider(
        SealedKeys.Content(
            keys: [
                SealedKeys.Key(id: "k0", address: "https://host/key", bytes: "AQI="),
                SealedKeys.Key(id: "k1", address: "skd://a", bytes: "AwQ=", format: "com.apple"),
                SealedKeys.Key(
                    id: "k2", address: "skd://b", bytes: "BQ==", format: "com.apple",
                    contentType: "text/plain"),
                SealedKeys.Key(id: "k3", address: "skd://c", bytes: "?"),
            ], license: SealedKeys.Terms(requestedAt: Timestamp(milliseconds: 1))), in: "/folder")

    private func request(_ uri: String) -> ContentKeyRequest { ContentKeyRequest(token: nil, uri: uri) }

    @Test("are found by their files in it, or by their addresses")
    func found() {
        let uris = [
            "file:///folder/keys/k0.key", "https://host/key", "skd://a", "file:///folder/keys/k2.key",
        ]
        #expect(uris.allSatisfy { provider.answers(for: request($0)) })
        let others = ["file:///folder/keys/k9.key", "file:///folder/k0.key", "k0", "skd://x"]
        #expect(!others.contains { provider.answers(for: request($0)) })
    }

    @Test("are content keys, or answers of a key system with their type if that is known")
    func types() async throws {
        var types: [String?] = []
        var bytes: [[UInt8]] = []
        for uri in ["https://host/key", "skd://a", "skd://b"] {
            let key = try await provider.key(for: request(uri), certificate: nil)
            types.append(key.contentType)
            bytes.append(key.bytes)
        }
        #expect(types == [nil, "application/octet-stream", "text/plain"])
        #expect(bytes == [[1, 2], [3, 4], [5]])
    }

    @Test(
        "are missing if the folder does not name them, or can't be read", arguments: ["skd://x", "skd://c"])
    func missing(_ uri: String) async {
        let error = await failure { _ = try await provider.key(for: request(uri), certificate: nil) }
        #expect(error?.text == "key(.missing)")
    }
}
