import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("What a key provider gives", .timeLimit(.minutes(1)))
struct ProvidedKeyTests {
    /// A provider that answers each request with the same bytes.
    private struct Provider: KeyProvider {
        let name = "acme"
        let given: ProvidedKey

        func answers(for request: ContentKeyRequest) -> Bool { request.uri.hasPrefix("skd:") }

        func key(
            for request: ContentKeyRequest, certificate: [UInt8]?
        ) async throws(StoreError) -> ProvidedKey { given }
    }

    private static let format = "com.apple.streamingkeydelivery"
    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    /// What is recorded of a key of a key system, and that key unsealed.
    private func record(_ given: ProvidedKey) async throws -> (key: KeyRecord, bytes: [UInt8]?) {
        let vault = try KeyVault(FilePath(folder.file("vault")), environment: [:])
        let fetcher = KeyFetcher(
            origin: LocalFolder(root: FilePath(folder.path)), vault: vault, token: token,
            providers: KeyProviders(list: [Provider(given: given)]))
        let source = KeySource(address: "skd://a", uri: "skd://a", keyFormat: Self.format)
        let key = try #require(try await fetcher.fetch([source]).first)
        return (key, key.opened(by: vault, for: token))
    }

    @Test("is a content key if it has the length of one, and else is refused", arguments: [0, 15, 16, 17])
    func length(_ count: Int) async throws {
        let bytes = OriginResource.pattern(count, seed: 96)
        let given = ProvidedKey(bytes)
        guard count == 16 else {
            let error = await failure { _ = try await record(given) }
            #expect(error?.text == "key(.length(\(count)))")
            return
        }
        let made = try await record(given)
        #expect(made.bytes == bytes && made.key.format == nil && made.key.system == Self.format)
    }

    @Test("is taken at any length if it is the answer of a key system", arguments: [15, 16])
    func answer(_ count: Int) async throws {
        let bytes = OriginResource.pattern(count, seed: 97)
        let made = try await record(ProvidedKey(bytes, contentType: "application/octet-stream"))
        #expect(made.bytes == bytes && made.key.format == Self.format)
        #expect(made.key.contentType == "application/octet-stream")
    }
}
