import HLSPlaylist
import Testing

@testable import AssetStore

/// What subtitles are cut along.
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
        let bytes = PresentationTimeline(source).subtitlePlaylist
        let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
        #expect(made.segments.map(\.discontinuitySequence) == [8, 8, 9])
        #expect(
            made.segments.map(\.discontinuitySequence) == source.segments.map(\.discontinuitySequence))
        #expect(made.segments.map(\.isDiscontinuity) == [true, false, true])
    }
}
