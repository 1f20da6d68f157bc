import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("An encrypted transport stream", .timeLimit(.minutes(1)))
struct UncountedPlayTests {
    /// What reads its segments.
    enum Use: CaseIterable, Sendable {
        case codecs
        case section
        case indexRun
        case layout
        case segment
        case file

        /// Whether the user of it gets samples.
        var isPlay: Bool { self == .segment || self == .file }
    }

    private static let clear = MadePackets.sound([MadePackets.stereo, MadePackets.stereo])

    private func read(_ film: FilmFixture, for use: Use) throws {
        let (token, store, media) = (film.token, film.store, FragmentedMedia())
        switch use {
        case .codecs:
            let codecs = try #require(try media.codecs(of: "video", token, in: store))
            #expect(!codecs.isEmpty)
        case .section:
            let section = try #require(try media.section(0, of: "video", token, in: store))
            #expect(!section.isEmpty)
        case .indexRun:
            let folder = store.paths.rendition(token, "video")
            let place = try #require(IndexedPlace(folder.appending("0.ts")))
            var run = try #require(try IndexRun(place, store))
            let isDone = try run.advance(with: []) { false }
            #expect(isDone)
            #expect(try film.indexedSegments(of: "video") == 2)
        case .layout:
            let file = try store.file(of: token, AssetFileChoice(.mp4))
            #expect(file.length > 0)
        case .segment:
            let segment = try media.segment(0, of: "video", token, in: store, counts: true)
            #expect(segment != nil)
        case .file:
            let file = try store.file(of: token, AssetFileChoice(.ts))
            let bytes = try film.bytes(file)
            #expect(bytes == Self.clear.flatMap(\.self))
        }
    }

    @Test(
        "is played by who gets a segment or a file, not by who asks for its codecs, its section or its index",
        arguments: Use.allCases)
    func plays(_ use: Use) async throws {
        let key = Secret.key(OriginResource.pattern(16, seed: 79))
        var files: [(name: String, bytes: [UInt8])] = [("k.key", key)]
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n"
        text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n"
        for (number, bytes) in Self.clear.enumerated() {
            files.append(("\(number).ts", SampleMedia.encrypted(bytes, key: key, number: number)))
            text += "#EXTINF:0.096,\n\(number).ts\n"
        }
        files.append(("index.m3u8", Array((text + "#EXT-X-ENDLIST\n").utf8)))
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            try read(film, for: use)
            await film.store.stop()
            let license = try StoreReader(root: film.store.paths.root).requireAsset(film.token).license
            #expect((license.lastHandedOutAt != nil) == use.isPlay)
        }
    }

    @Test("with an encrypted initialization section is not played by who lays it out as one file")
    func laidOut() async throws {
        let key = Secret.key(OriginResource.pattern(16, seed: 83))
        var stream = MadePackets()
        let section = stream.tables([0x81])
        let segments = MadePackets.sound([MadePackets.stereo, MadePackets.stereo], types: [])
        // One vector for all: that of the number 0.
        var files = [
            (name: "k.key", bytes: key),
            (name: "section.ts", bytes: SampleMedia.encrypted(section, key: key, number: 0)),
        ]
        let vector = String(repeating: "0", count: 32)
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n"
        text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\",IV=0x\(vector)\n"
        text += "#EXT-X-MAP:URI=\"section.ts\"\n"
        for (number, bytes) in segments.enumerated() {
            files.append(("\(number).ts", SampleMedia.encrypted(bytes, key: key, number: 0)))
            text += "#EXTINF:0.096,\n\(number).ts\n"
        }
        files.append(("index.m3u8", Array((text + "#EXT-X-ENDLIST\n").utf8)))
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            #expect(file.length == UInt64((section + segments.flatMap(\.self)).count))
            await film.store.stop()
            let license = try StoreReader(root: film.store.paths.root).requireAsset(film.token).license
            #expect(license.lastHandedOutAt == nil)
        }
    }
}
