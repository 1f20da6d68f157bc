import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("A segment that is listed again")
struct SegmentIdentityTests {
    private static let base = URIReference("https://h/v/p.m3u8")

    private func segment(
        _ uri: String = "a.ts", tags: String = "", seconds: String = "4", date: Double? = nil
    ) throws -> SegmentIdentity {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(tags)#EXTINF:\(seconds),\n\(uri)\n"
        let segment = try #require(try Playlists.parsedMedia(text).segments.first)
        return SegmentIdentity(segment, base: Self.base, date: date)
    }

    @Test("is known by the last part of its path and by its byte range")
    func names() throws {
        let range = "#EXT-X-BYTERANGE:5@0\n"
        #expect(try segment("a.ts?t=1").isLike(segment("https://cdn.example/x/a.ts?t=2")))
        #expect(try !segment("a.ts").isLike(segment("b.ts")))
        #expect(try segment(tags: range).isLike(segment(tags: range)))
        #expect(try !segment(tags: range).isLike(segment()))
    }

    @Test("may have moved in time by less than its length, or less than a second, if its dates are known")
    func dates() throws {
        #expect(try segment(date: 100).isLike(segment(date: 103.75)))
        #expect(try segment(date: 103.75).isLike(segment(date: 100)))
        #expect(try !segment(date: 100).isLike(segment(date: 104)))
        #expect(try segment(seconds: "0.5", date: 100).isLike(segment(seconds: "0.5", date: 100.75)))
        #expect(try !segment(seconds: "0.5", date: 100).isLike(segment(seconds: "0.5", date: 101)))
        #expect(try segment(date: 100).isLike(segment()))
        #expect(try segment().isLike(segment(date: 100)))
    }

    /// Four segments of four seconds, the second and the third of which have dates.
    private func dated() throws -> MediaPlaylist {
        let tag = "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:0"
        return try Playlists.parsedMedia(
            Playlists.media(["a.ts", "\(tag)1:00Z\nb.ts", "\(tag)5:00Z\nc.ts", "d.ts"]))
    }

    @Test("has the date of the last one before it that has a date, and of the seconds since")
    func following() throws {
        let all = SegmentIdentity.all(of: try dated(), base: Self.base)
        #expect(all.map(\.date) == [nil, 60, 300, 304])
        #expect(all.map(\.name) == ["a.ts", "b.ts", "c.ts", "d.ts"])
    }

    @Test("tells by the last date when the playlist ends, if there is any date")
    func end() throws {
        #expect(try dated().endDate == 308)
        #expect(try Playlists.parsedMedia(Playlists.media(["a.ts", "b.ts"])).endDate == nil)
    }
}
