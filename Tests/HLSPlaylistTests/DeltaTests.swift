import HLSPlaylist
import Testing

/// Delta updates, put together with what was loaded before.
@Suite("A delta update")
struct DeltaTests {
    private let before = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-DISCONTINUITY-SEQUENCE:2
        #EXT-X-KEY:METHOD=AES-128,URI="k1"
        #EXT-X-MAP:URI="init.mp4"
        #EXTINF:4,
        a
        #EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:04Z
        #EXTINF:4,b title
        #EXT-X-BYTERANGE:10@0
        b
        #EXT-X-KEY:METHOD=AES-128,URI="k2"
        #EXTINF:3.5,
        #EXT-X-BYTERANGE:20
        b
        #EXTINF:4,
        d
        """

    private func update(_ header: String, _ segments: String) throws -> MediaPlaylist {
        try media("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(header)\n\(segments)\n")
    }

    @Test(
        "takes the skipped segments from the earlier playlist, and their keys and sections apply to the segments after them"
    )
    func whole() throws {
        let delta = try update(
            "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2",
            "#EXTINF:4,\nd\n#EXTINF:4,\ne\n#EXT-X-ENDLIST")
        let whole = try #require(try media(before).updated(by: delta))
        #expect(whole.mediaSequence == 11 && whole.skip == nil && whole.hasEndList)
        #expect(whole.segments.map(\.uri) == ["b", "b", "d", "e"])
        #expect(whole.segments.map(\.mediaSequence) == [11, 12, 13, 14])
        #expect(whole.segments.map { $0.keys.first?.uri } == ["k1", "k2", "k2", "k2"])
        #expect(whole.segments.map(\.discontinuitySequence) == [3, 3, 3, 3])
        #expect(whole.segments.map(\.byteRange?.offset) == [0, 10, nil, nil])
        #expect(whole.segments.allSatisfy { $0.initializationSection == 0 })
        #expect(whole.initializationSections.map(\.uri) == ["init.mp4"])
        #expect(whole.segments[0].programDateTime == "2026-01-01T00:00:04Z")
        #expect(whole.segments[0].title == "b title" && whole.segments[1].durationText == "3.5")
    }

    @Test("can be the base of the next one")
    func chain() throws {
        let first = try update(
            "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4",
            "#EXTINF:4,\ne")
        let second = try update(
            "#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3",
            "#EXTINF:4,\nf")
        let whole = try #require(try media(before).updated(by: first)?.updated(by: second))
        #expect(whole.segments.map(\.uri) == ["b", "d", "e", "f"])
        #expect(whole.segments.allSatisfy { $0.keys.first?.uri == "k2" && $0.discontinuitySequence == 3 })
    }

    @Test(
        "is refused when it skips unknown segments or counts discontinuities differently",
        arguments: [
            "#EXT-X-MEDIA-SEQUENCE:9\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2",
            "#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3",
            "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2",
        ])
    func misfit(_ header: String) throws {
        let delta = try update(header, "#EXTINF:4,\nz")
        #expect(try media(before).updated(by: delta) == nil)
    }

    @Test("keeps its own date ranges only, and is itself when it skips nothing")
    func dateRanges() throws {
        let dated = before.replacing(
            "#EXTINF:4,\nd",
            with: "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-01T00:00:00Z\"\n#EXTINF:4,\nd")
        let delta = try update(
            "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4",
            "#EXT-X-DATERANGE:ID=\"y\",START-DATE=\"2026-01-01T00:00:00Z\"\n#EXTINF:4,\ne")
        #expect(try media(dated).updated(by: delta)?.dateRanges.map(\.id) == ["y"])
        let plain = try update("#EXT-X-MEDIA-SEQUENCE:50", "#EXTINF:4,\nq")
        #expect(try media(before).updated(by: plain)?.segments.map(\.mediaSequence) == [50])
    }
}
