import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Playlists of what is stored.
struct StoredPresentationTests {
    /// Ten segments of four seconds from number 5 on, encrypted, with a discontinuity before number 9.
    private var source: String {
        let segments = (5..<15).map { number in
            (number == 9 ? "#EXT-X-DISCONTINUITY\n" : "") + "#EXTINF:4,\n\(number).ts\n"
        }
        return "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:5\n"
            + "#EXT-X-KEY:METHOD=AES-128,URI=\"https://origin/k\"\n" + segments.joined() + "#EXT-X-ENDLIST\n"
    }

    private func lines(
        _ ranges: [TimeRange], stored: Set<Int>, of text: String? = nil, format: ContainerFormat = .ts
    ) throws -> [String] {
        let keys = ServedKeys(
            [KeyRecord(id: "k1", url: "https://origin/k")], base: URIReference("https://origin/"))
        let served = ServedMediaPlaylist(
            try Playlists.parsedMedia(text ?? source), keys: keys, format: format)
        let bytes = served.bytes(of: StoredPresentation(ranges: ranges, stored: stored))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("it begins with the number of the first stored segment, and every hole is a discontinuity")
    func holes() throws {
        let ranges = [TimeRange(start: 4, duration: 8), TimeRange(start: 28, duration: 12)]
        let lines = try lines(ranges, stored: [6, 7, 12, 13, 14])
        #expect(lines.contains("#EXT-X-MEDIA-SEQUENCE:6"))
        #expect(lines.filter { $0.hasSuffix(".ts") } == ["6.ts", "7.ts", "12.ts", "13.ts", "14.ts"])
        #expect(lines.count { $0 == "#EXT-X-DISCONTINUITY" } == 1)
        let place = lines.firstIndex(of: "#EXT-X-DISCONTINUITY")
        #expect(place.map { $0 > (lines.firstIndex(of: "7.ts") ?? .max) } == true)
        #expect(lines.last == "#EXT-X-ENDLIST")
    }

    @Test("vectors that follow from the numbers of segments are written out")
    func vectors() throws {
        let lines = try lines([TimeRange(start: 28, duration: 4)], stored: [12])
        #expect(
            lines.contains {
                $0.contains("IV=0x0000000000000000000000000000000C")
                    || $0.contains("IV=0x0000000000000000000000000000000c")
            })
        #expect(!lines.contains("#EXT-X-DISCONTINUITY"))
        #expect(lines.contains("#EXT-X-DISCONTINUITY-SEQUENCE:1"))
    }

    @Test("behind a hole, SAMPLE-AES keys of a transport stream have the vector of the segment's own number")
    func sampleVectors() throws {
        let text = source.replacing("AES-128", with: "SAMPLE-AES")
        let ranges = [TimeRange(start: 0, duration: 4), TimeRange(start: 28, duration: 4)]
        func keys(_ text: String, _ format: ContainerFormat = .ts) throws -> [String] {
            try lines(ranges, stored: [5, 12], of: text, format: format).filter { $0.hasPrefix("#EXT-X-KEY") }
        }
        let vectors = try keys(text).map { $0.suffix(4).lowercased() }
        #expect(vectors == ["0005", "000c"])
        // Fragments tell of theirs themselves.
        let map = "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:4,\n5.ts"
        let mapped = text.replacing("#EXTINF:4,\n5.ts", with: map)
        #expect(try keys(mapped, .m4s) == ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"../keys/k1.key\""])
        // The tables that I-frames have as a map do not.
        let frames = try keys(mapped).filter { $0.contains("IV=") }.map { $0.suffix(4).lowercased() }
        #expect(frames == ["0005", "000c"])
    }

    @Test("a method whose vectors follow from nothing here gets none")
    func otherMethods() throws {
        let text = source.replacing("METHOD=AES-128", with: "METHOD=AES-256-GCM")
        let lines = try lines([TimeRange(start: 28, duration: 4)], stored: [12], of: text)
        let keys = lines.filter { $0.hasPrefix("#EXT-X-KEY:") }
        #expect(!keys.isEmpty && !keys.contains { $0.contains("IV=") })
    }

    @Test("a stretch that only one rendition has does not play and is not listed")
    func others() throws {
        let lines = try lines([TimeRange(start: 0, duration: 8)], stored: [5, 6, 7, 8])
        #expect(lines.filter { $0.hasSuffix(".ts") } == ["5.ts", "6.ts"])
        #expect(try self.lines([], stored: [5]).filter { $0.hasSuffix(".ts") }.isEmpty)
    }

    @Test("a missing segment is a gap in its stretch, and later segments keep their times")
    func gaps() throws {
        let lines = try lines([TimeRange(start: 4, duration: 16)], stored: [6, 8, 9])
        #expect(lines.filter { $0.hasSuffix(".ts") } == ["6.ts", "7.ts", "8.ts", "9.ts"])
        let gap = try #require(lines.firstIndex(of: "#EXT-X-GAP"))
        #expect(lines[gap...].first { $0.hasSuffix(".ts") } == "7.ts")
        #expect(lines.count { $0 == "#EXT-X-GAP" } == 1)
        #expect(lines.count { $0 == "#EXT-X-DISCONTINUITY" } == 1)
    }

    @Test("each stretch begins with its date, and date ranges outlive the segments that they came with")
    func dates() throws {
        let segments = (0..<6).map { "#EXTINF:4,\n\($0).ts\n" }
        let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-31T08:00:06Z\""
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(range)\n"
            + "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n\(segments.joined())"
            + "\(range.replacing("\"a\"", with: "\"b\""))\n#EXT-X-ENDLIST\n"
        let ranges = [TimeRange(start: 4, duration: 8), TimeRange(start: 16, duration: 8)]
        let lines = try lines(ranges, stored: [1, 2, 4, 5], of: text)
        #expect(
            lines.filter { $0.hasPrefix("#EXT-X-PROGRAM") || $0.hasSuffix(".ts") } == [
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:04.000Z", "1.ts", "2.ts",
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:16.000Z", "4.ts", "5.ts",
            ])
        #expect(lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") }.count == 2)
    }

    @Test("a start is moved to the time of its segment among the stored ones, or of the next stored one")
    func starts() throws {
        let ranges = [TimeRange(start: 4, duration: 8), TimeRange(start: 28, duration: 12)]
        let presentation = StoredPresentation(ranges: ranges, stored: [6, 7, 12, 13, 14])
        let playlist = try Playlists.parsedMedia(source)
        func moved(_ place: Double) -> Double? {
            presentation.start(at: place, in: playlist)?.timeOffset
        }
        #expect(moved(4) == 0 && moved(5) == 1 && moved(9) == 5)
        #expect(moved(0) == 0)
        #expect(moved(12) == 8 && moved(20) == 8 && moved(28) == 8)
        #expect(moved(29) == 9 && moved(39.5) == 19.5)
        #expect(moved(40) == nil)
    }
}
