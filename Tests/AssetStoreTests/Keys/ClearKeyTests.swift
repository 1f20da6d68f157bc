import Foundation
import HLSPlaylist
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

@Suite("Playlists for players that decrypt samples themselves", .timeLimit(.minutes(2)))
struct ClearKeyTests {
    private static let identifier = Hexadecimal.bytes("aabbccddaabbccddaabbccddaabbccdd") ?? []
    private static let key = Secret.key(Hexadecimal.bytes("00112233445566778899aabbccddeeff") ?? [])

    /// A stream of one encrypted fragment.
    private func run(tags: String, _ body: (StoreFixture, AssetToken) async throws -> Void) async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["cenc-v-init.mp4", "cenc-v1.m4s"] {
                let url = Bundle.module.url(
                    forResource: name, withExtension: nil, subdirectory: "Fixtures/encrypted")
                fixture.origin.serve("/\(name)", bytes: [UInt8](try Data(contentsOf: try #require(url))))
            }
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serve(
                "/index.m3u8",
                text: """
                    #EXTM3U
                    #EXT-X-VERSION:7
                    #EXT-X-TARGETDURATION:4
                    #EXT-X-MAP:URI="cenc-v-init.mp4"
                    \(tags)
                    #EXTINF:4,
                    cenc-v1.m4s
                    #EXT-X-ENDLIST

                    """)
            let asset = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }
            try await body(fixture, asset.token)
        }
    }

    private func keyTags(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("#EXT-X-KEY") }
    }

    @Test(
        "name keys by the identifiers that the media have for them, whoever gave them",
        arguments: [
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k.key\"",
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
            "#EXT-X-SOMETHING",
        ])
    func identifiers(tag: String) async throws {
        try await run(tags: tag) { fixture, token async throws in
            if !tag.contains("k.key") {
                try fixture.store.addKey(Self.key, identifier: Self.identifier, to: token)
            }
            let tags = keyTags(try fixture.store.clearKeyMediaPlaylist(token, "video"))
            let identifier = Secret.base64(Self.identifier)
            #expect(
                tags == [
                    "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,\(identifier)\",KEYFORMAT=\"org.w3.clearkey\",KEYFORMATVERSIONS=\"1\""
                ])
            let found = try fixture.store.keys.clearKeys(token, [Self.identifier])
            #expect(found.map(\.key) == [Self.key])
            #expect(fixture.store.keys.quickClearKeys(token, [Self.identifier])?.map(\.key) == [Self.key])
            #expect(fixture.store.keys.quickClearKeys(token, [[1]]) == nil)
            try fixture.store.revokeLicense(of: token)
            #expect(fixture.store.keys.quickClearKeys(token, [Self.identifier]) == nil)
        }
    }

    @Test("name no key that is not there, and usual ones lead to a key that was given")
    func given() async throws {
        let system =
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
        try await run(tags: system) { fixture, token async throws in
            #expect(keyTags(try fixture.store.clearKeyMediaPlaylist(token, "video")) == [system])
            #expect(keyTags(try fixture.stored(token, "video/media.m3u8")) == [system])
            try fixture.store.addKey(Self.key, identifier: Self.identifier, to: token)
            let id = "id-aabbccddaabbccddaabbccddaabbccdd"
            #expect(
                keyTags(try fixture.stored(token, "video/media.m3u8")) == [
                    "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"../keys/\(id).key\""
                ])
            #expect(try fixture.contentKey(token, id) == Self.key)
        }
    }
}
