import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Downloads of a part of a presentation.
struct TimeCutTests {
    private func selection(_ start: Double?, _ end: Double?) -> Selection {
        var selection = Selection()
        (selection.start, selection.end) = (start, end)
        return selection
    }

    private func stream(_ text: String, _ kind: RenditionKind = .variant) throws -> ResolvedStream {
        ResolvedStream(
            selected: SelectedStream(kind: kind, uri: "x", required: kind == .variant, listings: []),
            url: "http://h/x", playlist: try Playlists.parsedMedia(text), container: .ts)
    }

    @Test(
        "whole segments are taken, of all renditions for the same stretch",
        arguments: [
            (0.0, 4.0, [0], [0]), (3.9, 4.1, [0, 1], [0]), (8, 12, [2], [0, 1]), (20, 1000, [5], [2]),
        ])
    func stretches(_ start: Double, _ end: Double, _ video: [Int], _ subtitles: [Int]) throws {
        let uris = (0..<6).map { "\($0).ts" }
        let streams = [
            try stream(Playlists.media(uris)),
            try stream(Playlists.media((0..<3).map { "\($0).vtt" }, seconds: 10), .subtitles),
        ]
        let cut = try #require(try TimeCut(selection(start, end))?.cut(streams))
        #expect(cut[0].playlist?.segments.map(\.mediaSequence) == video)
        #expect(cut[1].playlist?.segments.map(\.mediaSequence) == subtitles)
    }

    @Test("segments of other renditions that begin before the part keep their times beside the video's")
    func leads() throws {
        let streams = [
            try stream(Playlists.media((0..<6).map { "\($0).ts" })),
            try stream(Playlists.media((0..<3).map { "\($0).vtt" }, seconds: 10), .subtitles),
            try stream(Playlists.media((0..<8).map { "\($0).aac" }, seconds: 3), .audio),
        ]
        let cut = try #require(try TimeCut(selection(8, 24))?.cut(streams))
        let plan = DownloadPlan(cut, sources: [])
        #expect(plan.renditions[0].units.map(\.start) == [0, 4, 8, 12] && plan.duration == 16)
        #expect(plan.renditions[1].units.map(\.start) == [-8, 2, 12])
        #expect(plan.renditions[2].units.map(\.start) == [-2, 1, 4, 7, 10, 13])
    }

    @Test("byte ranges, maps, dates and discontinuities are those of the whole")
    func details() throws {
        let text = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-MAP:URI="a.mp4",BYTERANGE="100@0"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z
            #EXTINF:4,
            #EXT-X-BYTERANGE:50@100
            a.mp4
            #EXTINF:4,
            #EXT-X-BYTERANGE:60
            a.mp4
            #EXT-X-DISCONTINUITY
            #EXTINF:4,
            b.mp4
            #EXT-X-ENDLIST

            """
        let cut = try #require(try TimeCut(selection(5, nil))?.cut([try stream(text)]).first?.playlist)
        #expect(cut.mediaSequence == 8 && cut.hasEndList)
        #expect(cut.segments[0].byteRange == ByteRange(length: 60, offset: 150))
        #expect(cut.segments[0].programDateTime == "2026-01-31T08:00:04.000Z")
        #expect(cut.initializationSections.map(\.uri) == ["a.mp4"])
        #expect(cut.segments.map(\.discontinuitySequence) == [0, 1])
    }

    /// A date range, without the end of its line.
    @Test("date ranges of the part are in its playlist wherever their tags stood, and no others")
    func dateRanges() throws {
        let cut = try #require(
            try TimeCut(selection(5, 11))?.cut([try stream(DatedPlaylist.text)]).first?.playlist)
        #expect(cut.segments.map(\.uri) == ["s1.ts", "s2.ts"])
        #expect(cut.dateRanges.map(\.id) == ["into", "first", "late", "end"])
        let end = try #require(
            try TimeCut(selection(13, nil))?.cut([try stream(DatedPlaylist.text)]).first?.playlist)
        #expect(end.dateRanges.map(\.id) == ["first", "late", "end", "next"])
        let undated = DatedPlaylist.text.replacing(
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n", with: "")
        let kept = try #require(try TimeCut(selection(5, 11))?.cut([try stream(undated)]).first?.playlist)
        #expect(kept.dateRanges.count == 6)
    }

    @Test("a date range without an end lasts for its planned duration, else for a moment")
    func withoutEnd() throws {
        let asset = ",X-ASSET-URI=\"ad.m3u8\""
        let ranges = [
            DatedPlaylist.range("before", "02", asset),
            DatedPlaylist.range("list", "03", ",X-ASSET-LIST=\"ads.json\""),
            DatedPlaylist.range("at", "04", asset), DatedPlaylist.range("inside", "06", asset),
            DatedPlaylist.range("over", "00", ",PLANNED-DURATION=3,SCTE35-OUT=0xFC30"),
            DatedPlaylist.range("into", "02", ",PLANNED-DURATION=4\(asset)"),
            DatedPlaylist.range("chapter", "02"),
        ]
        let tags = (["#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z"] + ranges).map { "\($0)\n" }.joined()
        let text = Playlists.media((0..<4).map { "s\($0).ts" }, tags: tags)
        let cut = try #require(try TimeCut(selection(5, 11))?.cut([try stream(text)]).first?.playlist)
        #expect(cut.segments.map(\.uri) == ["s1.ts", "s2.ts"])
        #expect(cut.dateRanges.map(\.id) == ["at", "inside", "into", "chapter"])
    }

    @Test("a part keeps the date ranges in it where an advertisement before its end has an earlier date")
    func earlierDate() throws {
        let tags = "\(DatedPlaylist.range("in", "05", ",DURATION=2"))\n#EXTINF:4,\ns1.ts\n"
        let text = DatedPlaylist.text.replacing("#EXTINF:4,\ns1.ts\n", with: tags).replacing(
            "#EXTINF:4,\ns2.ts", with: "#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:00Z\n#EXTINF:4,\ns2.ts")
        let cut = try #require(try TimeCut(selection(5, 11))?.cut([try stream(text)]).first?.playlist)
        #expect(cut.segments.map(\.uri) == ["s1.ts", "s2.ts"])
        #expect(cut.dateRanges.contains { $0.id == "in" })
    }

    @Test("a time that the stream does not have is refused with the stream's duration")
    func outside() throws {
        let streams = [try stream(Playlists.media(["a.ts", "b.ts"]))]
        let cut = try #require(TimeCut(selection(8, nil)))
        let error = #expect(throws: StoreError.self) { try cut.cut(streams) }
        #expect(
            error?.message
                == "the stream does not have the requested time: it has 8 seconds; `offer(for:)` shows what the stream offers"
        )
        #expect(TimeCut(Selection()) == nil)
    }

    @Test("the part has whole segments of the variant, even if another rendition is listed before it")
    func lead() throws {
        let streams = [
            try stream(Playlists.media((0..<3).map { "\($0).aac" }, seconds: 10), .audio),
            try stream(Playlists.media((0..<6).map { "\($0).ts" })),
        ]
        let cut = try #require(try TimeCut(selection(3.9, 4.1))?.cut(streams))
        #expect(cut[0].playlist?.segments.map(\.mediaSequence) == [0])
        #expect(cut[1].playlist?.segments.map(\.mediaSequence) == [0, 1])
    }

    @Test("a part whose date is thousands of years away has none")
    func farAway() throws {
        func date(_ second: Int) throws -> String? {
            let tag = "#EXT-X-PROGRAM-DATE-TIME:5138-11-16T09:46:\(second)Z\n"
            let streams = [try stream(Playlists.media(["a.ts", "b.ts"], tags: tag))]
            let cut = try #require(try TimeCut(selection(5, nil))?.cut(streams).first?.playlist)
            #expect(cut.segments.count == 1)
            return cut.segments.first?.programDateTime
        }
        #expect(try date(35) == "5138-11-16T09:46:39.000Z")
        #expect(try date(36) == nil)
    }

    @Test("a stream stays whole if its part would be no playlist: an address in it reads like a tag")
    func unreadable() throws {
        let tag = "#EXT-X-DEFINE:NAME=\"u\",VALUE=\"#EXT-X-STREAM-INF:BANDWIDTH=1\"\n"
        let streams = [try stream(Playlists.media(["a.ts", "{$u}", "c.ts"], tags: tag))]
        let cut = try #require(try TimeCut(selection(5, nil))?.cut(streams).first?.playlist)
        #expect(cut.segments.map(\.mediaSequence) == [0, 1, 2])
    }
}
