import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import LivePlaylists
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

/// The times by which subtitles are segmented.
struct PresentationTimelineTests {
    @Test("the playlist of subtitles counts discontinuities as the media's does, from the first segment on")
    func discontinuities() throws {
        let source = try Playlists.parsedMedia(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-DISCONTINUITY-SEQUENCE:7
            #EXT-X-DISCONTINUITY
            #EXTINF:4,
            a.ts
            #EXTINF:4,
            b.ts
            #EXT-X-DISCONTINUITY
            #EXTINF:4,
            c.ts
            #EXT-X-ENDLIST
            """)
        let bytes = PresentationTimeline(source).subtitlePlaylist()
        let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
        #expect(made.segments.map(\.discontinuitySequence) == [8, 8, 9])
        #expect(
            made.segments.map(\.discontinuitySequence) == source.segments.map(\.discontinuitySequence))
        #expect(made.segments.map(\.isDiscontinuity) == [true, false, true])
    }

    /// Eight segments of four seconds, the sixth with a discontinuity before it.
    private func source() throws -> MediaPlaylist {
        let segments = (0..<8).map { ($0 == 5 ? "#EXT-X-DISCONTINUITY\n" : "") + "#EXTINF:4,\n\($0).ts\n" }
        return try Playlists.parsedMedia("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segments.joined())")
    }

    @Test("if the media's playlist lists only stored segments, it has the same stretches, with gaps in them")
    func stored() throws {
        let source = try source()
        let presentation = StoredPresentation(
            ranges: [TimeRange(start: 4, duration: 8), TimeRange(start: 24, duration: 8)],
            stored: [1, 2, 6, 7])
        let bytes = PresentationTimeline(source).subtitlePlaylist(
            of: presentation.places(in: source), missing: [0...4, 12...24, 28...32])
        let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
        let media = try Playlists.parsedMedia(
            String(
                decoding: ServedMediaPlaylist(source, keys: .none, format: .ts).bytes(of: presentation),
                as: UTF8.self))
        #expect(made.segments.map(\.uri) == ["1.vtt", "2.vtt", "6.vtt", "7.vtt"])
        #expect(made.segments.map(\.discontinuitySequence) == media.segments.map(\.discontinuitySequence))
        #expect(made.segments.map(\.isDiscontinuity) == [false, false, true, false])
        #expect(made.segments.map(\.isGap) == [false, false, false, true])
        #expect(made.hasEndList)
    }

    @Test("it has the dates of the media, in the whole playlist and in that of stored segments")
    func dates() throws {
        let segments = (0..<4).map { "#EXTINF:4,\n\($0).ts\n" }
        let source = try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
                + segments.joined() + "#EXT-X-ENDLIST\n")
        func dates(_ bytes: [UInt8]) throws -> [String?] {
            try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self)).segments.map(\.programDateTime)
        }
        let timeline = PresentationTimeline(source)
        #expect(try dates(timeline.subtitlePlaylist()) == ["2026-01-31T08:00:00Z", nil, nil, nil])
        let presentation = StoredPresentation(
            ranges: [TimeRange(start: 0, duration: 4), TimeRange(start: 8, duration: 8)], stored: [0, 2, 3])
        let places = presentation.places(in: source)
        #expect(
            try dates(timeline.subtitlePlaylist(of: places, missing: [])) == [
                "2026-01-31T08:00:00Z", "2026-01-31T08:00:08.000Z", nil,
            ])
    }

    @Test("a window repeats the dates and date ranges of hidden segments, and so do its subtitles")
    func datedWindow() throws {
        let tags =
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-31T08:00:00Z\"\n"
            + "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
        let source = try Playlists.parsedMedia(
            Playlists.media((0..<8).map { "\($0).ts" }, tags: tags, end: false))
        let view = LiveView(window: "16")
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        let media = try Playlists.parsedMedia(
            String(decoding: GrowingPlaylist(served: served, view: view).bytes, as: UTF8.self))
        let timeline = PresentationTimeline(source, isGrowing: true)
        let subtitles = try Playlists.parsedMedia(
            String(decoding: timeline.subtitlePlaylist(view), as: UTF8.self))
        #expect(media.dateRanges.map(\.id) == ["a"])
        for playlist in [media, subtitles] {
            #expect(playlist.segments.map(\.programDateTime) == ["2026-01-31T08:00:16.000Z", nil, nil, nil])
        }
    }

    @Test("the target duration stays when the longest segment leaves the window, also for subtitles")
    func targetDuration() throws {
        let text = Playlists.media((0..<20).map { "\($0).ts" }, end: false)
        let source = try Playlists.parsedMedia(
            text.replacing("#EXTINF:4,\n1.ts", with: "#EXTINF:9.5,\n1.ts"))
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        let timeline = PresentationTimeline(source, isGrowing: true)
        for view in [LiveView(), LiveView(window: "16")] {
            let playlists = [
                GrowingPlaylist(served: served, view: view).bytes, timeline.subtitlePlaylist(view),
            ]
            for bytes in playlists {
                let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
                #expect(made.declaredTargetDuration == 10)
            }
        }
    }

    @Test(
        "for a recording, it shows the same window as the media playlist: at least three target durations",
        arguments: [("1", 5), ("12", 5), ("13", 4)])
    func window(_ seconds: String, _ first: Int) throws {
        let source = try source()
        let view = LiveView(window: seconds)
        let bytes = PresentationTimeline(source, isGrowing: true).subtitlePlaylist(view)
        let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
        let served = ServedMediaPlaylist(source, keys: .none, format: .ts)
        let media = try Playlists.parsedMedia(
            String(decoding: GrowingPlaylist(served: served, view: view).bytes, as: UTF8.self))
        #expect(made.segments.map(\.uri) == (first..<8).map { "\($0).vtt" })
        #expect(made.mediaSequence == first && made.playlistType == nil && !made.hasEndList)
        #expect(media.segments.map(\.uri) == (first..<8).map { "\($0).ts" })
        #expect(made.segments.map(\.discontinuitySequence) == media.segments.map(\.discontinuitySequence))
        let whole = PresentationTimeline(source).subtitlePlaylist(view)
        #expect(try Playlists.parsedMedia(String(decoding: whole, as: UTF8.self)).segments.count == 8)
    }
}
