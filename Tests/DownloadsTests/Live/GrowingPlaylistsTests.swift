import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

/// Playlists of recordings that go on, as they are kept for the next player.
struct GrowingPlaylistsTests {
    private let token: AssetToken

    init() throws { token = try #require(AssetToken("01HZX3T5E8M9K2Q4R6S7V8W9XA")) }

    private func key(_ number: Int, _ rendition: String = "video") -> GrowingPlaylists.Key {
        GrowingPlaylists.Key(
            token: token, rendition: rendition, view: LiveView(start: "\(number)"), sections: 0)
    }

    private let playlist = [UInt8](repeating: 0x23, count: 5000)

    @Test("they take no more memory than they may, whatever is asked for; what was asked for lately stays")
    func memory() {
        let made = GrowingPlaylists(largestBytes: 20_000)
        made.store(playlist, under: key(0), pieces: 1)
        for number in 1..<20 {
            #expect(made.find(key(0), pieces: 1) == playlist)
            made.store(playlist, under: key(number), pieces: 1)
            #expect(made.heldBytes <= 20_000)
        }
        #expect(made.heldBytes == 20_000 && made.find(key(18), pieces: 1) == playlist)
        #expect(made.find(key(10), pieces: 1) == nil)
    }

    @Test("those of less of a rendition are let go when there is more of it, and only those of that one")
    func older() {
        let made = GrowingPlaylists(largestBytes: 100_000)
        for number in 0..<3 { made.store(playlist, under: key(number), pieces: 1) }
        made.store(playlist, under: key(0, "audio"), pieces: 1)
        made.store(playlist, under: key(0), pieces: 2)
        #expect(made.heldBytes == 10_000 && made.find(key(0), pieces: 1) == nil)
        #expect(made.find(key(0), pieces: 2) == playlist && made.find(key(0, "audio"), pieces: 1) == playlist)
        made.forget([token])
        #expect(made.heldBytes == 0)
    }

    @Test("one that would take the place of most others is not kept, nor what it was before")
    func large() {
        let made = GrowingPlaylists(largestBytes: 15_000)
        made.store(playlist, under: key(0), pieces: 1)
        made.store(playlist + playlist, under: key(0), pieces: 1)
        #expect(made.heldBytes == 0 && made.find(key(0), pieces: 1) == nil)
    }

    @Test("they are few, however small they are")
    func count() {
        let made = GrowingPlaylists(largestBytes: 100_000)
        for number in 0..<100 { made.store([1], under: key(number), pieces: 1) }
        #expect(made.heldBytes == GrowingPlaylists.largestCount)
    }
}

/// The playlist of a recording that goes on.
struct GrowingPlaylistTests {
    @Test("what is added to a growing playlist comes after all lines, also where it needs what a gap had")
    func sectionOfGap() throws {
        func growing(_ text: String) throws -> String {
            let served = ServedMediaPlaylist(try Playlists.parsedMedia(text), keys: .none, format: .m4s)
            return String(
                decoding: GrowingPlaylist(served: served, view: LiveView()).bytes, as: UTF8.self)
        }
        let map = "#EXT-X-MAP:URI=\"b.mp4\"\n"
        let first = Playlists.media(
            ["a.m4s", "\(map)#EXT-X-GAP\nb.m4s"], tags: "#EXT-X-MAP:URI=\"a.mp4\"\n", end: false)
        let before = try growing(first)
        let after = try growing(first + "\(map)#EXTINF:4,\nc.m4s\n")
        #expect(after.hasPrefix(before))
        let added = after.dropFirst(before.count).split(separator: "\n")
        #expect(added.first == "#EXT-X-MAP:URI=\"init-1.mp4\"" && added.last == "2.m4s")
    }

    @Test("a window has a date at its first segment, and at the others what the stream says there")
    func window() throws {
        let tags = "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
        let source = try Playlists.parsedMedia(
            Playlists.media((0..<8).map { "\($0).ts" }, tags: tags, end: false))
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        for (window, dates) in [
            ("16", ["2026-01-31T08:00:16.000Z", nil, nil, nil]),
            ("90", ["2026-01-31T08:00:00Z"] + [String?](repeating: nil, count: 7)),
        ] {
            let playlist = GrowingPlaylist(served: served, view: LiveView(window: window))
            let media = try Playlists.parsedMedia(String(decoding: playlist.bytes, as: UTF8.self))
            #expect(media.segments.map(\.programDateTime) == dates)
        }
    }
}
