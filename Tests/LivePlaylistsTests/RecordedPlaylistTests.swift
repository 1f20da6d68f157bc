import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel

/// The playlist of a recording, piece by piece.
struct RecordedPlaylistTests {
    private let base = URIReference("http://o/live/index.m3u8")

    @Test("its head has no end, no type and no start")
    func head() throws {
        let tags = "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=2\n#EXT-X-MEDIA-SEQUENCE:4\n"
        let source = try Playlists.parsedMedia(Playlists.media(["a.ts", "b.ts"], tags: tags))
        let head = String(
            decoding: RecordedPlaylist.head(of: source, from: source.segments[1]), as: UTF8.self)
        #expect(head.contains("#EXT-X-MEDIA-SEQUENCE:5\n") && head.contains("#EXT-X-TARGETDURATION:4\n"))
        for tag in ["ENDLIST", "PLAYLIST-TYPE", "START"] { #expect(!head.contains(tag)) }
    }

    @Test("a later piece ends the keys in force before it, the first one does not")
    func keys() throws {
        let page = try Playlists.parsedMedia(LiveShow.page(0..<2))
        var window = LiveWindow(page, base: base, at: 0)
        let growth = try window.take(page, base: base)
        let texts = [true, false].map {
            String(decoding: RecordedPlaylist.piece(growth, isFirst: $0), as: UTF8.self)
        }
        #expect(!texts[0].contains("METHOD=NONE") && texts[1].hasPrefix("#EXT-X-KEY:METHOD=NONE\n"))
    }

    @Test("its units start where the piece does; a section is a unit once, as soon as a segment needs it")
    func units() throws {
        func units(_ text: String, _ start: Double, _ sections: inout RecordedSections) throws -> [UnitRecord]
        {
            let playlist = try Playlists.parsedMedia(
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i.mp4\"\n\(text)")
            return RecordedPlaylist.units(of: playlist, start: start, sections: &sections)
        }
        var sections = RecordedSections([], units: [])
        let gap = try units("#EXT-X-GAP\n#EXTINF:4,\ngap\n", 0, &sections)
        #expect(gap.allSatisfy { $0.kind != .initialization })
        let first = try units("#EXTINF:4,\na.m4s\n#EXTINF:3,\nb.m4s\n", 10, &sections)
        #expect(first.map(\.kind) == [.initialization, .segment, .segment] && first[0].number == 0)
        #expect(first[1...].map(\.start) == [10, 14])
        #expect(try units("#EXTINF:4,\nc.m4s\n", 17, &sections).map(\.start) == [17])
    }

    @Test("its size is that of its pieces, and must leave a sixteenth of each limit")
    func size() throws {
        let piece = try Playlists.parsedMedia(
            LiveShow.page(0..<8, tags: [0: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"]))
        let (size, count) = (RecordedSize(piece).adding(RecordedSize(piece)), piece.serialized.count * 2)
        let attributes = piece.attributeCount * 2
        #expect(attributes > 0)
        func fits(bytes: Int = 1 << 20, segments: Int = 1 << 20, attributes: Int = 1 << 20) -> Bool {
            var limits = ParseLimits()
            (limits.bytes, limits.segments, limits.attributes) = (bytes, segments, attributes)
            return size.fits(limits)
        }
        /// The least limit that leaves a sixteenth beyond a number.
        func least(_ number: Int) -> Int { (number...).first { $0 - $0 / 16 >= number } ?? 0 }
        #expect(fits(bytes: least(count)) && !fits(bytes: least(count) - 1))
        #expect(fits(segments: least(16)) && !fits(segments: least(16) - 1))
        #expect(fits(attributes: least(attributes)) && !fits(attributes: least(attributes) - 1))
    }
}
