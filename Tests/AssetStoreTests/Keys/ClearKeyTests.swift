import ASCII
import Foundation
import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("Playlists for players that decrypt samples themselves", .timeLimit(.minutes(2)))
struct ClearKeyTests {
    private static let identifier = Hexadecimal.bytes("aabbccddaabbccddaabbccddaabbccdd") ?? []
    private static let key = Secret.key(Hexadecimal.bytes("00112233445566778899aabbccddeeff") ?? [])

    private static let system =
        "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\""

    /// A stream of one encrypted fragment.
    private func run(tags: String, _ body: (StoreFixture, AssetToken) async throws -> Void) async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["cenc-v-init.mp4", "cenc-v1.m4s"] {
                fixture.origin.serve("/\(name)", bytes: try SampleMedia.file(name))
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
        "name keys by their identifiers in the media, for fetched and for added keys",
        arguments: [
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k.key\"",
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
            "#EXT-X-SOMETHING",
        ])
    func identifiers(tag: String) async throws {
        try await run(tags: tag) { fixture, token async throws in
            if !tag.contains("k.key") {
                try fixture.store.licenses.addKey(Self.key, identifier: Self.identifier, to: token)
            }
            let tags = keyTags(try fixture.store.media.clearKeyMediaPlaylist(token, "video"))
            let identifier = Secret.base64(Self.identifier)
            #expect(
                tags == [
                    "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,\(identifier)\",KEYFORMAT=\"org.w3.clearkey\",KEYFORMATVERSIONS=\"1\""
                ])
            let found = try fixture.store.keys.clearKeys(token, [Self.identifier])
            #expect(found.map(\.key) == [Self.key])
            #expect(fixture.store.keys.quickClearKeys(token, [Self.identifier])?.map(\.key) == [Self.key])
            #expect(fixture.store.keys.quickClearKeys(token, [[1]]) == nil)
            try fixture.store.licenses.revoke(token)
            #expect(fixture.store.keys.quickClearKeys(token, [Self.identifier]) == nil)
        }
    }

    @Test("name no missing key, and usual playlists lead to an added key")
    func given() async throws {
        let system = Self.system
        try await run(tags: system) { fixture, token async throws in
            #expect(keyTags(try fixture.store.media.clearKeyMediaPlaylist(token, "video")) == [system])
            #expect(keyTags(try fixture.stored(token, "video/media.m3u8")) == [system])
            try fixture.store.licenses.addKey(Self.key, identifier: Self.identifier, to: token)
            let id = "id-aabbccddaabbccddaabbccddaabbccdd"
            #expect(
                keyTags(try fixture.stored(token, "video/media.m3u8")) == [
                    "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"../keys/\(id).key\""
                ])
            #expect(try fixture.contentKey(token, id) == Self.key)
        }
    }

    @Test("get no key under another identifier than those of the complete media")
    func otherIdentifier() async throws {
        try await run(tags: Self.system) { fixture, token async throws in
            let (office, other) = (fixture.store.licenses, [UInt8](repeating: 7, count: 16))
            let error = await failure { try office.addKey(Self.key, identifier: other, to: token) }
            #expect(error?.text == #"key(.notAmong(["aabbccddaabbccddaabbccddaabbccdd"]))"#)
            let keys = try fixture.store.catalog.renditions.keys(of: token)
            #expect(keys.allSatisfy { $0.sealed == nil })
        }
    }

    /// A recording of such fragments, without their key, that waits with three of them stored.
    private func record(_ body: (StoreFixture, AssetToken) async throws -> Void) async throws -> Asset {
        let header = "#EXT-X-VERSION:7\n#EXT-X-MAP:URI=\"init.mp4\"\n\(Self.system)\n"
        let pages = [
            LiveShow.page(0..<4, header: header), LiveShow.page(0..<5, header: header),
            LiveShow.page(0..<6, header: header, isEnd: true),
        ]
        let show = LiveShow(try OriginServer(), pages: pages.map { $0.replacing(".ts", with: ".m4s") })
        show.origin.serve("/live/init.mp4", bytes: try SampleMedia.file("cenc-v-init.mp4"))
        for number in 0..<6 {
            show.origin.serve("/live/s\(number).m4s", bytes: try SampleMedia.file("cenc-v1.m4s"))
        }
        show.hold(at: 1)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let recorded = Task { try await fixture.record(show) { $0.allowsMissingKeys = true } }
        try await show.untilHeld()
        let token = try #require(try fixture.store.reader.assets().first?.token)
        while try fixture.store.catalog.renditions.rendition(token, "video")?.isComplete != true {
            try await Task.sleep(for: .milliseconds(5))
        }
        try await body(fixture, token)
        show.release()
        let asset = try await recorded.value
        try await body(fixture, token)
        await fixture.store.stop()
        return asset
    }

    @Test("name one key in every view: of the whole, of stored segments and of an unfinished recording")
    func views() async throws {
        let given = "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"../keys/id-aabbccddaabbccddaabbccddaabbccdd.key\""
        let identifier = Secret.base64(Self.identifier)
        let named =
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,\(identifier)\",KEYFORMAT=\"org.w3.clearkey\",KEYFORMATVERSIONS=\"1\""
        let asset = try await record { fixture, token async throws in
            let (store, reader) = (fixture.store, fixture.store.reader)
            func usual() throws -> [UInt8]? {
                try reader.playlists.growingMediaPlaylist(token, "video", view: LiveView())
                    ?? fixture.stored(token, "video/media.m3u8")
            }
            let isGrowing = try reader.requireAsset(token).recording?.isOpen == true
            if isGrowing {
                #expect(keyTags(try usual()) == [Self.system])
                try store.licenses.addKey(Self.key, identifier: Self.identifier, to: token)
            }
            #expect(keyTags(try usual()) == [given])
            #expect(keyTags(try reader.playlists.availableMediaPlaylist(token, "video")) == [given])
            let stored = try store.media.clearKeyMediaPlaylist(token, "video", isAvailableOnly: true)
            #expect(keyTags(stored) == [named])
            let window = try store.media.clearKeyMediaPlaylist(token, "video", view: LiveView(window: "1"))
            #expect(keyTags(window) == [named])
            let text = String(decoding: window ?? [], as: UTF8.self)
            #expect(text.contains("#EXT-X-ENDLIST") == !isGrowing)
            #expect(text.contains("\n0.m4s") == !isGrowing)
        }
        #expect(asset.recording?.isOpen == false)
    }
}
