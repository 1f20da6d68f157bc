import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel
@testable import StorePlanning

/// The cached playlists of unfinished recordings.
struct GrowingPlaylistsTests {
    private let token: AssetToken

    init() throws { token = try #require(AssetToken("01HZX3T5E8M9K2Q4R6S7V8W9XA")) }

    private func key(_ number: Int, _ rendition: String = "video") -> GrowingPlaylists.Key {
        GrowingPlaylists.Key(
            token: token, rendition: rendition, view: LiveView(start: "\(number)"), sections: 0)
    }

    private let playlist = [UInt8](repeating: 0x23, count: 5000)

    @Test("they stay within their memory; the latest ones stay")
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

    @Test("a longer playlist replaces the shorter one of its rendition, and no other")
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

    @Test("a playlist larger than most others together is not kept, nor its predecessor")
    func large() {
        let made = GrowingPlaylists(largestBytes: 15_000)
        made.store(playlist, under: key(0), pieces: 1)
        made.store(playlist + playlist, under: key(0), pieces: 1)
        #expect(made.heldBytes == 0 && made.find(key(0), pieces: 1) == nil)
    }

    @Test("a playlist as large as half of the memory is kept")
    func half() {
        let made = GrowingPlaylists(largestBytes: 10_000)
        made.store(playlist, under: key(0), pieces: 1)
        #expect(made.find(key(0), pieces: 1) == playlist)
    }

    @Test("they are few, however small they are")
    func count() {
        let made = GrowingPlaylists(largestBytes: 100_000)
        for number in 0..<100 { made.store([1], under: key(number), pieces: 1) }
        #expect(made.heldBytes == GrowingPlaylists.largestCount)
    }
}

/// The playlist of an unfinished recording.
struct GrowingPlaylistTests {
    @Test("additions to a growing playlist come after all its lines, also after a section of a gap")
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

    @Test(
        "the wanted start counts from the first visible segment, or from the end",
        arguments: [
            ("20", 4.0), ("5", 0), ("-6", -6), ("live", -12), ("2026-01-31T08:00:26Z", 10),
            ("2026-01-31T07:00:00Z", 0),
        ])
    func start(_ wish: String, offset: Double) throws {
        let tags = "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
        let source = try Playlists.parsedMedia(
            Playlists.media((0..<8).map { "\($0).ts" }, tags: tags, end: false))
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        let playlist = GrowingPlaylist(served: served, view: LiveView(start: wish, window: "16"))
        let media = try Playlists.parsedMedia(String(decoding: playlist.bytes, as: UTF8.self))
        #expect(media.start?.timeOffset == offset)
        let whole = GrowingPlaylist(served: served, view: LiveView())
        #expect(try Playlists.parsedMedia(String(decoding: whole.bytes, as: UTF8.self)).start == nil)
    }

    @Test("a window has a date at its first segment, and at the others the stream's own dates")
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

    @Test(
        "the whole playlist is an EVENT playlist; one with a window has no type, and no start of its own is known"
    )
    func type() throws {
        let source = try Playlists.parsedMedia(
            Playlists.media((0..<8).map { "\($0).ts" }, tags: "#EXT-X-MEDIA-SEQUENCE:5\n", end: false))
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        for (window, type, first) in [(nil, .event, 5), ("16", nil, 9)]
            as [(String?, MediaPlaylist.PlaylistType?, Int)]
        {
            let playlist = GrowingPlaylist(served: served, view: LiveView(window: window))
            let media = try Playlists.parsedMedia(String(decoding: playlist.bytes, as: UTF8.self))
            #expect(media.playlistType == type && media.mediaSequence == first)
        }
        #expect(LiveView.Start.live.place(in: source) == nil)
    }
}
