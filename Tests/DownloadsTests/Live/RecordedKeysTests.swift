import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import Licensing
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The content keys of a recording", .timeLimit(.minutes(1)))
struct RecordedKeysTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func keys(known: [KeyRecord] = []) throws -> RecordedKeys {
        let fetcher = KeyFetcher(
            origin: LocalFolder(root: FilePath(folder.path)),
            vault: try KeyVault(FilePath(folder.file("vault")), environment: [:]),
            token: AssetToken(at: Timestamp(milliseconds: 1)),
            providers: KeyProviders(now: { Timestamp(milliseconds: 7000) }))
        return RecordedKeys(fetcher: fetcher, known: known, patience: 50)
    }

    /// A key that the playlist carries itself.
    private func inline(_ address: String, _ text: String = "0123456789abcdef") -> KeySource {
        KeySource(address: address, uri: "data:,\(text)")
    }

    @Test("are numbered after those that the asset has, which are not asked for again")
    func numbers() async throws {
        let known = [("k0", "a"), ("k4", "b"), ("mine", "c")].map { KeyRecord(id: $0.0, url: $0.1) }
        let keys = try keys(known: known)
        let found = try await keys.records(for: ["a", "x", "b", "x", "y", "c"].map { inline($0) })
        #expect(found.map(\.id) == ["k5", "k6"] && found.map(\.url) == ["x", "y"])
        #expect(found.allSatisfy { $0.sealed != nil && $0.renewAt == nil })
        let again = try await keys.records(for: ["y", "z", "x"].map { inline($0) })
        #expect(again.map(\.id) == ["k6", "k7", "k5"] && again.map(\.url) == ["y", "z", "x"])
        #expect(again[0] == found[1] && again[2] == found[0])
    }

    @Test("begin with 0 without others, or beside the user's own")
    func first() async throws {
        for known in [[], [KeyRecord(id: "mine", url: "c")]] {
            let found = try await keys(known: known).records(for: [inline("x")])
            #expect(found.map(\.id) == ["k0"])
        }
    }

    @Test("that can't be fetched are missing, and are asked for again after a minute")
    func missing() async throws {
        let url = LocalFolder.url(FilePath(folder.file("gone.key")))
        let found = try await keys().records(for: [KeySource(address: url, uri: "gone.key"), inline("x")])
        #expect(found.map(\.id) == ["k0", "k1"])
        #expect(found[0].sealed == nil && found[0].renewAt == Timestamp(milliseconds: 67_000))
        #expect(found[1].sealed != nil && found[1].renewAt == nil)
    }

    @Test("that nobody can have later are not asked for again")
    func hopeless() async throws {
        let system = KeySource(
            address: "skd://x", uri: "skd://x", keyFormat: "com.apple.streamingkeydelivery")
        let found = try await keys().records(for: [inline("short", "0123"), system])
        #expect(found.map(\.sealed) == [nil, nil] && found.map(\.renewAt) == [nil, nil])
        #expect(found[1].format == "com.apple.streamingkeydelivery")
    }
}
