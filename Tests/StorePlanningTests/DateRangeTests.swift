import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Date ranges and their places in the presentation.
struct DateRangeTests {
    private func ranges(_ tags: String) throws -> [AssetDateRange] {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            \(tags)
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            #EXTINF:4,
            0.ts
            #EXTINF:4,
            1.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T12:00:00+01:00
            #EXTINF:4,
            2.ts
            #EXT-X-ENDLIST

            """
        return DateRangeIndex(try Playlists.parsedMedia(text)).ranges
    }

    @Test("dates become places by the segment that begins before them")
    func places() throws {
        let found = try ranges(
            """
            #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-01T11:00:01Z",END-DATE="2026-01-01T11:00:03.5Z"
            #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:05.5Z",DURATION=2,SCTE35-OUT=0xFC30
            """)
        #expect(found.map(\.id) == ["a", "b"])
        #expect(found.map(\.start) == [5.5, 9] && found.map(\.end) == [7.5, 11.5])
        #expect(found[0].attributes.last == .init(name: "SCTE35-OUT", value: "0xFC30"))
    }

    @Test("several tags of one ID are one range; some end where the next of their class begins")
    func merged() throws {
        let found = try ranges(
            """
            #EXT-X-DATERANGE:ID="a",CLASS="c",START-DATE="2026-01-01T00:00:01Z",END-ON-NEXT=YES
            #EXT-X-DATERANGE:ID="o",CLASS="other",START-DATE="2026-01-01T00:00:02Z"
            #EXT-X-DATERANGE:ID="n",CLASS="c",START-DATE="2026-01-01T00:00:03Z"
            #EXT-X-DATERANGE:ID="a",X-MORE="m"
            """)
        #expect(found.map(\.id) == ["a", "o", "n"])
        #expect(found.map(\.end) == [3, nil, nil])
        #expect(found[0].attributes.map(\.name) == ["ID", "CLASS", "START-DATE", "END-ON-NEXT", "X-MORE"])
    }

    @Test("one whose class comes again without a date that can be read has no end")
    func undatedNext() throws {
        let found = try ranges(
            """
            #EXT-X-DATERANGE:ID="a",START-DATE="1960-01-01T00:00:01Z",END-ON-NEXT=YES
            #EXT-X-DATERANGE:ID="b",START-DATE="soon"
            #EXT-X-DATERANGE:ID="c",START-DATE="2026-01-01T00:00:03Z",END-ON-NEXT=YES
            """)
        #expect(found.map(\.id) == ["a", "b", "c"] && found.map(\.end) == [nil, nil, nil])
    }

    @Test(
        "dates that overlap and go back are found where a look at each of them finds them", arguments: 0..<40)
    func overlapping(_ seed: Int) throws {
        let dates = (0..<12).map { (seed &* 7919 &+ $0 &* $0 &* 104_729) % 50 }
        let lengths = (0..<12).map { (seed &+ $0 &* 31) % 9 }
        let lines = zip(dates, lengths).map { date, length in
            let tag = length % 3 == 0 ? "" : "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:\(date + 10)Z\n"
            return "\(tag)#EXTINF:\(length),\na.ts\n"
        }
        let playlist = try Playlists.parsedMedia("#EXTM3U\n\(lines.joined())")
        let index = DateRangeIndex(playlist)
        for half in 0..<160 {
            let date = Double(half) / 2
            #expect(index.place(date) == Self.place(date, in: playlist))
            let moment = Self.date(date, in: playlist).map { Int64($0 * 1000) }
            #expect(index.date(at: date)?.milliseconds == moment)
        }
    }

    /// Where segments with a date begin: the date, the place, and the seconds to the next one.
    private static func anchors(_ playlist: MediaPlaylist) -> [(date: Double, place: Double, length: Double)]
    {
        var (place, anchors) = (0.0, [(date: Double, place: Double, length: Double)]())
        for segment in playlist.segments {
            if let date = segment.programDateTime.flatMap(DateTime.seconds(parsing:)) {
                anchors.append((date, place, 0))
            }
            if !anchors.isEmpty { anchors[anchors.count - 1].length += segment.duration }
            place += segment.duration
        }
        return anchors
    }

    private static func place(_ date: Double, in playlist: MediaPlaylist) -> Double? {
        let anchors = anchors(playlist)
        let earlier = anchors.filter { $0.date <= date }
        let latest = earlier.map(\.date).max()
        let anchor = earlier.last { date < $0.date + $0.length } ?? earlier.last { $0.date == latest }
        return (anchor ?? anchors.first).map { $0.place + date - $0.date }
    }

    private static func date(_ place: Double, in playlist: MediaPlaylist) -> Double? {
        let anchors = anchors(playlist)
        return (anchors.last { $0.place <= place } ?? anchors.first).map { $0.date + place - $0.place }
    }

    @Test("thousands of them find their places among thousands of dates", .timeLimit(.minutes(1)))
    func many() throws {
        let count = 60_000
        let date = "1970-01-01T00:00:00Z"
        let segments = String(repeating: "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:1,\na\n", count: count)
        let ranges = (0..<count).map {
            "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"\($0)\",START-DATE=\"\(date)\",END-ON-NEXT=YES\n"
        }
        let playlist = try Playlists.parsedMedia("#EXTM3U\n\(segments)\(ranges.joined())")
        let found = DateRangeIndex(playlist).ranges
        #expect(found.count == count && found.allSatisfy { $0.start == Double(count - 1) && $0.end == nil })
    }

    @Test("thousands of tags and attributes make up one of them", .timeLimit(.minutes(1)))
    func manyTags() throws {
        let tags = (0..<300).map { tag in
            let attributes = (0..<300).map { "X-\(tag)-\($0)=1" }.joined(separator: ",")
            return "#EXT-X-DATERANGE:ID=\"a\",\(attributes)\n"
        }
        let repeated = String(repeating: "#EXT-X-DATERANGE:ID=\"a\",X-0-0=1\n", count: 30_000)
        let playlist = try Playlists.parsedMedia("#EXTM3U\n#EXTINF:1,\na\n\(tags.joined())\(repeated)")
        #expect(DateRangeIndex(playlist).ranges.map(\.attributes.count) == [90_001])
    }

    @Test("have no network addresses")
    func local() throws {
        let found = try ranges(
            """
            #EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:01Z",\
            X-ASSET-URI="ad.m3u8?token=1",X-NOTE="https://ads.example/x"
            """)
        #expect(found[0].attributes.map(\.name) == ["ID", "CLASS", "START-DATE"])
    }

    @Test("a date at which a segment without a length begins has that segment's place")
    func emptySegment() throws {
        func dated(_ time: String, _ seconds: Int) -> String {
            "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:\(time)Z\n#EXTINF:\(seconds),\na.ts\n"
        }
        let segments = dated("00:00", 4) + dated("05:00", 0) + dated("01:00", 4)
        let index = DateRangeIndex(try Playlists.parsedMedia("#EXTM3U\n\(segments)#EXT-X-ENDLIST\n"))
        #expect(index.place(300) == 4)
        #expect(index.place(299) == 243)
    }

    @Test("moments thousands of years away are none")
    func farAway() {
        #expect(Timestamp(sinceEpoch: 1.5)?.milliseconds == 1500)
        #expect(Timestamp(sinceEpoch: -99_999_999_999)?.milliseconds == -99_999_999_999_000)
        for seconds in [1e11, -1e11, 1e300, .infinity, .nan] {
            #expect(Timestamp(sinceEpoch: seconds) == nil)
        }
    }
}
