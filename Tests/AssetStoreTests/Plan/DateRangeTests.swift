import HLSPlaylist
import Testing

@testable import AssetStore

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

    @Test("nothing in them leads to the network")
    func local() throws {
        let found = try ranges(
            """
            #EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:01Z",\
            X-ASSET-URI="ad.m3u8?token=1",X-NOTE="https://ads.example/x"
            """)
        #expect(found[0].attributes.map(\.name) == ["ID", "CLASS", "START-DATE"])
    }

    @Test(
        "dates are read with any zone, and nothing else is",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-03-01T00:00:00.25+01:00", 951_865_200.25),
            ("2026-02-28T23:59:59-0130", 1_772_328_599), ("1969-12-31T23:59:59", -1), ("2026-01-01", nil),
            ("2026-13-01T00:00:00Z", nil), ("2026-01-01T00:00:00X", nil), ("2026-01-01T00:00:00+1", nil),
        ] as [(String, Double?)])
    func dates(_ text: String, _ seconds: Double?) {
        #expect(DateTime.seconds(parsing: text) == seconds)
    }
}
