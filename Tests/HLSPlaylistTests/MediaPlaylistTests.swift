import HLSPlaylist
import Testing

@Suite("A media playlist")
struct MediaPlaylistTests {
    @Test("tells its header")
    func header() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:12
            #EXT-X-DISCONTINUITY-SEQUENCE:3
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-START:TIME-OFFSET=-3.5,PRECISE=YES
            #EXTINF:5.9,
            a.ts
            #EXT-X-ENDLIST
            """)
        #expect(playlist.version == 7)
        #expect(playlist.targetDuration == 6)
        #expect(playlist.mediaSequence == 12)
        #expect(playlist.discontinuitySequence == 3)
        #expect(playlist.playlistType == .vod)
        #expect(playlist.independentSegments && playlist.hasEndList && !playlist.iFramesOnly)
        #expect(playlist.start == StartPoint(timeOffset: -3.5, isPrecise: true))
        #expect(playlist.duration == 5.9)
    }

    @Test("tells how many attributes it used, so that the parts of a playlist share one limit")
    func attributeCount() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let map = "#EXT-X-MAP:URI=\"a\"\n"
        let segment = "#EXTINF:1,\na\n"
        #expect(try media("#EXTM3U\n\(segment)").attributeCount == 0)
        #expect(try media("#EXTM3U\n\(map)\(segment)").attributeCount == 5)
        #expect(try media("#EXTM3U\n\(key)\(map)\(segment)").attributeCount == 13)
        var limits = ParseLimits()
        let text = "#EXTM3U\n\(segment)"
        limits.bytes = text.utf8.count
        #expect(refusal(text, limits: limits) == nil && refusal(text + "\n", limits: limits) != nil)
        limits = ParseLimits()
        limits.attributes = 13
        #expect(refusal("#EXTM3U\n\(key)\(map)\(segment)", limits: limits) == nil)
        limits.attributes = 12
        let code = refusal("#EXTM3U\n\(key)\(map)\(segment)", limits: limits)?.code
        #expect(code == .overLimit(.attributes))
    }

    @Test("has the longest duration, rounded, where it tells no target duration")
    func missingTargetDuration() throws {
        let playlist = try media("#EXTM3U\n#EXTINF:9.5,\na\n#EXTINF:9.4\nb\n")
        #expect(playlist.declaredTargetDuration == nil)
        #expect(playlist.targetDuration == 10)
    }

    @Test("accepts a byte order mark, lone CR, CRLF, blank lines, blanks and no line end at the end")
    func lineEnds() throws {
        let text = "\u{FEFF}\n#EXTM3U\r\n\r#EXTINF: 4.0 , a title \r  x.ts\t\n\n#EXTINF:.5\ny.ts"
        let playlist = try media(text)
        #expect(playlist.segments.map(\.uri) == ["x.ts", "y.ts"])
        #expect(playlist.segments.map(\.durationText) == ["4.0", ".5"])
        #expect(playlist.segments.map(\.title) == [" a title", nil])
        #expect(playlist.segments.map(\.line) == [5, 8])
        #expect(playlist.serialized == Array(text.utf8))
    }

    @Test("numbers its segments from the media sequence, after those a delta update skips")
    func numbers() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:100
            #EXT-X-SKIP:SKIPPED-SEGMENTS=20,RECENTLY-REMOVED-DATERANGES="a\tb"
            #EXTINF:4,
            x
            #EXTINF:4,
            y
            """)
        #expect(playlist.segments.map(\.mediaSequence) == [120, 121])
        #expect(playlist.skip?.skippedSegments == 20)
        #expect(playlist.skip?.recentlyRemovedDateRanges == ["a", "b"])
    }

    @Test("counts discontinuities")
    func discontinuities() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-DISCONTINUITY-SEQUENCE:7
            #EXTINF:1,
            a
            #EXT-X-DISCONTINUITY
            #EXTINF:1,
            b
            #EXTINF:1,
            c
            """)
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, true, false])
        #expect(playlist.segments.map(\.discontinuitySequence) == [7, 8, 8])
    }

    @Test("keeps gaps, dates and titles with their segment, and a bitrate until the next one")
    func segmentTags() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-BITRATE:800
            #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.678Z
            #EXTINF:1,one, two
            a
            #EXT-X-GAP
            #EXTINF:1,
            b
            #EXT-X-BYTERANGE:10@0
            #EXTINF:1,
            c
            """)
        #expect(playlist.segments.map(\.title) == ["one, two", nil, nil])
        #expect(playlist.segments.map(\.isGap) == [false, true, false])
        #expect(playlist.segments.map(\.programDateTime) == ["2026-01-02T03:04:05.678Z", nil, nil])
        #expect(playlist.segments.map(\.bitrate) == [800, 800, nil])
    }

    @Test("keeps date ranges and unknown tags before their segment and after the last one")
    func otherTags() throws {
        let playlist = try media(
            """
            #EXTM3U
            # a comment
            #EXT-X-CUE-OUT:30
            #EXT-X-DATERANGE:ID="d",CLASS="c",START-DATE="2026-01-01T00:00:00Z",DURATION=2.5,X-A="1"
            #EXTINF:1,
            a
            #EXTINF:1,
            b
            #EXT-X-CUE-IN
            """)
        #expect(playlist.segments[0].otherTags.count == 2)
        #expect(playlist.segments[0].otherTags[0] == "#EXT-X-CUE-OUT:30")
        #expect(playlist.segments[1].otherTags.isEmpty)
        #expect(playlist.trailingTags == ["#EXT-X-CUE-IN"])
        let range = try #require(playlist.dateRanges.first)
        #expect(range.id == "d" && range.classAttribute == "c" && range.duration == 2.5 && range.line == 4)
    }

    @Test("skips a URI without a duration, and a duration without a URI, as players do")
    func looseLines() throws {
        let playlist = try media(
            "#EXTM3U\n#EXTINF:1,\na\nJUNK\n#EXTINF:2,\n#EXTINF:3 id=\"1\",t\nb\n#EXTINF:4,\n")
        #expect(playlist.segments.map(\.uri) == ["a", "b"])
        #expect(playlist.segments.map(\.duration) == [1, 3])
    }

    @Test("percent-encodes the bytes of a URI that are not UTF-8")
    func latin1() throws {
        let bytes = Array("#EXTM3U\n#EXTINF:1,\ncaf".utf8) + [0xE9] + Array(".ts\n".utf8)
        guard case .media(let playlist) = try Playlist(parsing: bytes) else { throw WrongKind() }
        #expect(playlist.segments[0].uri == "caf%E9.ts")
        #expect(playlist.serialized == bytes)
    }

    @Test("with 100,000 segments gives each of them by its place")
    func manySegments() throws {
        let body = (0..<100_000).map { "#EXTINF:2.0,\ns\($0).ts\n" }.joined()
        let playlist = try media("#EXTM3U\n" + body)
        #expect(playlist.segments.count == 100_000)
        #expect(playlist.segments[99_999].uri == "s99999.ts")
        #expect(playlist.segments[50_000].line == 100_003)
    }

    @Test("has durations from 0 to 1,000,000,000 seconds, and its title only behind a comma")
    func durations() throws {
        func playlist(_ target: String, _ duration: String) -> String {
            "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXTINF:\(duration)\na.ts\n"
        }
        #expect(try media(playlist("1000000000", "1000000000,")).targetDuration == 1_000_000_000)
        #expect(try media(playlist("0", "0,")).targetDuration == 0)
        #expect(refusal(playlist("1", "1000000001,"))?.code == .badDuration)
        #expect(refusal(playlist("1", "-1,"))?.code == .badDuration)
        #expect(try media(playlist("1", "1000000000")).segments[0].duration == 1e9)
        for (text, title) in [("1", nil), ("1,", nil), ("1,t", "t"), ("1 a=b,t", "t")] as [(String, String?)]
        {
            #expect(try media(playlist("1", text)).segments[0].title == title)
        }
    }

    @Test("has no values beside those of its tags")
    func plain() throws {
        let playlist = try media("#EXTM3U\n#EXTINF:1,\na.ts\n")
        #expect(playlist.version == nil && playlist.playlistType == nil)
        #expect(!playlist.hasEndList && !playlist.iFramesOnly && !playlist.imagesOnly)
        #expect(!playlist.independentSegments && playlist.start == nil && playlist.skip == nil)
        #expect(playlist.mediaSequence == 0 && playlist.discontinuitySequence == 0)
        let segment = playlist.segments[0]
        #expect(!segment.isGap && !segment.isDiscontinuity && segment.discontinuitySequence == 0)
        #expect(segment.keys.isEmpty && segment.byteRange == nil && segment.bitrate == nil)
        #expect(segment.initializationSection == nil && segment.programDateTime == nil)
    }

    @Test("has numbers up to half of the largest integer, so that they can be added up")
    func largestNumbers() throws {
        func playlist(_ tag: String, _ number: Int) -> String {
            "#EXTM3U\n\(tag):\(number)\n#EXTINF:1,\na.ts\n"
        }
        let largest = MediaPlaylist.largestSequenceNumber
        for tag in ["#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE"] {
            #expect(refusal(playlist(tag, largest)) == nil)
            #expect(refusal(playlist(tag, largest + 1))?.code == .badInteger)
        }
    }

    @Test("has each date range once, in the order of their first tags")
    func dateRanges() throws {
        let date = "START-DATE=\"2026-01-01T00:00:00Z\""
        let tags = ["\"b\",\(date)", "\"a\",\(date)", "\"b\",X-N=1"].map { "#EXT-X-DATERANGE:ID=\($0)\n" }
        let merged = try media("#EXTM3U\n\(tags.joined())#EXTINF:1,\na.ts\n").mergedDateRanges
        #expect(merged.map { $0["ID"] } == ["b", "a"])
        #expect(merged.map { $0["X-N"] } == ["1", nil])
    }

    @Test("has a sufficient target duration: its own, or that of a longer segment, rounded")
    func sufficientTargetDuration() throws {
        func sufficient(_ target: Int) throws -> Int {
            try media("#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXTINF:9.5,\na\n").sufficientTargetDuration
        }
        #expect(try sufficient(4) == 10)
        #expect(try sufficient(10) == 10)
        #expect(try sufficient(12) == 12)
    }

    @Test("says that its segments are only I-frames, or only pictures, by the tag for each")
    func kindsOfSegments() throws {
        let frames = try media("#EXTM3U\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:1,\na\n")
        #expect(frames.iFramesOnly && !frames.imagesOnly)
        let images = try media("#EXTM3U\n#EXT-X-IMAGES-ONLY\n#EXTINF:1,\na\n")
        #expect(images.imagesOnly && !images.iFramesOnly)
    }

    @Test("may have a bitrate of 0, which is not the same as none")
    func bitrateOfNothing() throws {
        let playlist = try media("#EXTM3U\n#EXTINF:1,\na\n#EXT-X-BITRATE:0\n#EXTINF:1,\nb\n")
        #expect(playlist.segments.map(\.bitrate) == [nil, 0])
    }
}
