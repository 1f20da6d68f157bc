import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
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

/// I-frames for seeking: byte ranges of the media that they are pictures of.
@Suite(.timeLimit(.minutes(2)))
struct IFrameTests {
    /// A playlist of I-frames, each of them a byte range of a resource.
    private func list(_ frames: [(uri: String, offset: Int, length: Int)], tags: String = "") -> String {
        let lines = frames.map { "#EXTINF:4,\n#EXT-X-BYTERANGE:\($0.length)@\($0.offset)\n\($0.uri)\n" }
        return "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:4\n#EXT-X-I-FRAMES-ONLY\n\(tags)"
            + lines.joined() + "#EXT-X-ENDLIST\n"
    }

    /// Serves a variant of three segments beside the playlist of I-frames `i/index.m3u8`.
    private func publish(_ origin: OriginServer, _ frames: String) {
        origin.serveStream("/v", count: 3)
        origin.serve("/i/index.m3u8", text: frames)
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=320x180"),
                #"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,URI="i/index.m3u8""#))
    }

    @Test("an I-frame whose range ends inside a box is asked for once")
    func endInBox() async throws {
        try await StoreFixture.run { fixture async throws in
            let section = Media.initialization()
            let all: [UInt8] = section + (1...3).flatMap { Media.fragment(UInt64($0)) }
            let offsets = (0..<3).map { section.count + $0 * Media.fragment(1).count }
            fixture.origin.serve("/i/all.mp4", bytes: all)
            publish(
                fixture.origin,
                list(
                    offsets.map { ("all.mp4", $0, 600) },
                    tags: "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"\(section.count)@0\"\n"))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            for (number, offset) in offsets.enumerated() {
                let frame = try fixture.stored(asset.token, "iframes-180p/\(number).m4s")
                #expect(frame == Array(all[offset..<offset + 600]))
            }
            #expect(fixture.origin.requests(for: "/i/all.mp4").map(\.offset).sorted() == [0] + offsets)
        }
    }

    @Test("I-frames of a transport stream without a map use the beginning of their resource as one")
    func transportStream() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = ["a.ts": Media.ts(50, seed: 1), "b.ts": Media.ts(50, seed: 2)]
            for (name, bytes) in media { fixture.origin.serve("/i/\(name)", bytes: bytes) }
            publish(fixture.origin, list([("a.ts", 376, 1880), ("a.ts", 5640, 1880), ("b.ts", 376, 1880)]))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            let token = asset.token
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            let first = media["a.ts"] ?? []
            #expect(try fixture.stored(token, "iframes-180p/init-0.mp4") == Array(first[..<376]))
            #expect(try fixture.stored(token, "iframes-180p/0.ts") == Array(first[376..<2256]))
            let lines = try fixture.mediaLines(token, "iframes-180p")
            #expect(
                lines.filter { $0.hasPrefix("#EXT-X-MAP") || !$0.hasPrefix("#") } == [
                    "#EXT-X-MAP:URI=\"init-0.mp4\"", "0.ts", "1.ts", "2.ts",
                ])
            #expect(fixture.origin.requests(for: "/i/a.ts").map(\.offset).sorted() == [0, 376, 5640])
            #expect(fixture.origin.requests(for: "/i/b.ts").map(\.offset) == [376])
            let answer = try fixture.store.reader.media.unit(
                token, "iframes-180p", named: .initialization(0), extension: "mp4")
            guard case .stored(let file) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(file.container == .ts)
        }
    }

    @Test("I-frames that are ranges of encrypted segments are left out, with the reason")
    func encryptedRanges() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Secret.key(OriginResource.pattern(16, seed: 33))
            let iv = [UInt8](repeating: 7, count: 16)
            let whole = try ContentCipher(key).segment(Media.ts(50), iv: iv)
            fixture.origin.serve("/i/a.ts", bytes: whole)
            fixture.origin.serve("/i/k.key", bytes: key)
            let vector = String(repeating: "07", count: 16)
            publish(
                fixture.origin,
                list(
                    [("a.ts", 376, 1880), ("a.ts", 5640, 1880)],
                    tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\",IV=0x\(vector)\n"))
            var request = fixture.request("/master.m3u8")
            request.selection.trickPlay = true
            let added = try await fixture.store.intake.add(request)
            #expect(added.lost.count == 1 && added.lost.first?.contains("encrypted as a whole") == true)
            await fixture.store.untilSettled(added.token)
            let asset = try fixture.store.reader.requireAsset(added.token)
            #expect(asset.state == .complete && asset.renditions.map(\.kind) == [.variant])
            #expect(!fixture.origin.paths.contains("/i/a.ts") && !fixture.origin.paths.contains("/i/k.key"))
        }
    }

    @Test(
        "an asset with old I-frames of a kind that is no longer stored takes a fresh address, and they keep theirs"
    )
    func relinked() async throws {
        try await StoreFixture.run { fixture async throws in
            let frames: [(uri: String, offset: Int, length: Int)] = [
                ("a.ts", 376, 1880), ("a.ts", 5640, 1880),
            ]
            fixture.origin.serve("/i/a.ts", bytes: Media.ts(50))
            publish(fixture.origin, list(frames))
            fixture.origin.fault("/v/s2.ts", .status(403))
            let failed = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            #expect(failed.state == .failed)
            let token = failed.token
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "iframes-180p"))
            let units = try fixture.units(token, row.name)
            try fixture.store.catalog.units.markAbsent(
                units.map { (row.id, $0.kind, $0.number) }, as: .missing)
            publish(fixture.origin, list(frames, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n"))
            fixture.origin.clearFaults("/v/s2.ts")
            try await fixture.store.relink(token, to: fixture.origin.url("/master.m3u8?fresh"))
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.renditions.allSatisfy { $0.failure == nil })
        }
    }

    /// The sections that I-frames of a transport stream get, as byte ranges of resources.
    private func sections(_ text: String) throws -> [String] {
        let playlist = IFrameSections.added(to: try Playlists.parsedMedia(text))
        return playlist.initializationSections.map { "\($0.uri) \($0.byteRange?.verbatim ?? "")" }
    }

    @Test("a stream without discontinuities gets one section, and each discontinuity one of its own")
    func count() throws {
        let text = list((0..<100).map { ("\($0).ts", 376, 1880) })
        #expect(try sections(text) == ["0.ts 376@0"])
        let cut = text.replacing(
            "#EXTINF:4,\n#EXT-X-BYTERANGE:1880@376\n50.ts",
            with: "#EXT-X-DISCONTINUITY\n#EXTINF:4,\n#EXT-X-BYTERANGE:1880@376\n50.ts")
        #expect(try sections(cut) == ["0.ts 376@0", "50.ts 376@0"])
        #expect(IFrameSections.added(to: try Playlists.parsedMedia(cut)).segments.count == 100)
    }

    @Test("a section has whole packets, and no more than the tables may need")
    func length() throws {
        #expect(try sections(list([("a.ts", 500, 1880)])) == ["a.ts 376@0"])
        #expect(try sections(list([("a.ts", 188_000, 1880)])) == ["a.ts 6016@0"])
    }

    @Test(
        "nothing is added where I-frames begin their resource, have a map, or are encrypted as a whole",
        arguments: [
            (0, ""), (376, "#EXT-X-MAP:URI=\"init.ts\"\n"),
            (376, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"),
        ])
    func others(_ offset: Int, _ tags: String) throws {
        let playlist = try Playlists.parsedMedia(list([("a.ts", offset, 1880)], tags: tags))
        #expect(IFrameSections.added(to: playlist).serialized == playlist.serialized)
    }
}
