import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import Licensing
@testable import StoreModel

@Suite("A list of key providers")
struct KeyProviderListTests {
    /// A provider of the keys whose addresses have a beginning.
    private struct Provider: KeyProvider {
        let name: String

        func answers(for request: ContentKeyRequest) -> Bool { request.uri.hasPrefix(name) }

        func key(
            for request: ContentKeyRequest, certificate: [UInt8]?
        ) async throws(StoreError) -> ProvidedKey { ProvidedKey([]) }
    }

    private let segment = "#EXTINF:4,\na.ts\n"

    private func key(_ uri: String) -> String {
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"\(uri)\",KEYFORMAT=\"com.example\"\n"
    }

    private func canOpen(_ body: String, _ providers: String...) throws -> Bool {
        let text = "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:4\n\(body)#EXT-X-ENDLIST\n"
        return KeyProviders(list: providers.map { Provider(name: $0) })
            .canOpen(try Playlists.parsedMedia(text), at: "https://h/v/index.m3u8")
    }

    @Test("opens a stream if it has the key of each segment, with its whole address")
    func segments() throws {
        let first = key("skd://a") + segment
        #expect(try canOpen(first, "skd:") && !canOpen(first, "other:") && !canOpen(first))
        #expect(try canOpen(key("k") + segment, "https://h/v/k"))
        let both = first + key("other://b") + segment
        #expect(try !canOpen(both, "skd:") && !canOpen(both, "other:") && canOpen(both, "skd:", "other:"))
        #expect(try !canOpen(key("other://b") + segment + first, "skd:"))
    }

    @Test("needs no key for segments that are missing, unencrypted, or encrypted with one of the origin's")
    func others() throws {
        let first = key("skd://a") + segment
        #expect(try canOpen(first + key("other://b") + "#EXT-X-GAP\n" + segment, "skd:"))
        #expect(try canOpen(first + "#EXT-X-KEY:METHOD=NONE\n" + segment, "skd:"))
        #expect(try canOpen(segment + first, "skd:") && canOpen(segment, "skd:"))
        #expect(try canOpen("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n" + segment, "skd:"))
        #expect(try !canOpen(segment))
    }

    @Test("asks the first provider that has a key, and names each that has one once")
    func order() throws {
        let providers = KeyProviders(list: ["skd:", "skd://a", "x:"].map { Provider(name: $0) })
        let request = ContentKeyRequest(token: nil, uri: "skd://a")
        #expect(providers.provider(for: request)?.name == "skd:")
        #expect(providers.provider(for: ContentKeyRequest(token: nil, uri: "y://a")) == nil)
    }
}
