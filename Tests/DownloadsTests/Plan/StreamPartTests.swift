import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel
@testable import StorePlanning

@Suite("A stream of one media playlist")
struct SoleStreamTests {
    private func stream(_ lines: String...) throws -> SelectedStream {
        let text = lines.joined(separator: "\n")
        return StreamResolver.soleStream(
            try Playlists.parsedMedia("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(text)\n#EXT-X-ENDLIST\n"))
    }

    @Test("is a required variant, of an unknown bit rate if the playlist tells none")
    func unknown() throws {
        let stream = try stream("#EXTINF:4,", "a.ts")
        #expect(stream.kind == .variant && stream.required && stream.uri == nil)
        #expect(stream.listings.map { $0["BANDWIDTH"] } == [nil])
    }

    @Test("has the largest bit rate that the playlist declares, whatever its byte ranges say")
    func declared() throws {
        let stream = try stream(
            "#EXT-X-BITRATE:300", "#EXTINF:4,", "a.ts", "#EXT-X-BITRATE:500", "#EXTINF:4,", "b.ts",
            "#EXT-X-BITRATE:400", "#EXTINF:4,", "c.ts", "#EXT-X-BYTERANGE:4000000@0", "#EXTINF:4,", "d.ts")
        #expect(stream.listings.map { $0["BANDWIDTH"] } == ["500000"])
    }

    @Test(
        "has the bit rate of its largest byte range; a very short one counts as a tenth of a second",
        arguments: [("4", "6000"), ("0.05", "80000")])
    func ranges(_ duration: String, _ bandwidth: String) throws {
        let stream = try stream(
            "#EXTINF:4,", "#EXT-X-BYTERANGE:3000@0", "a.ts", "#EXTINF:\(duration),",
            "#EXT-X-BYTERANGE:1000@3000", "a.ts")
        #expect(stream.listings.map { $0["BANDWIDTH"] } == [bandwidth])
    }
}

@Suite("The stretches of a playlist with media of one kind")
struct MediaStretchTests {
    private let text = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-MAP:URI="a.mp4"
        #EXTINF:4,
        10.m4s
        #EXTINF:4,
        11.m4s
        #EXT-X-DISCONTINUITY
        #EXTINF:4,
        12.m4s
        #EXT-X-MAP:URI="b.mp4"
        #EXTINF:4,
        13.m4s
        #EXT-X-GAP
        #EXTINF:4,
        14.m4s
        #EXT-X-ENDLIST
        """

    @Test("begin with an initialization section, or with a discontinuity that goes on with the one before")
    func beginnings() throws {
        let stretches = StretchesOfMedia(try Playlists.parsedMedia(text))
        let found = (10...14).map { stretches.stretch(of: $0) }
        #expect(found.map { $0?.first } == [10, 10, 12, 13, 13])
        #expect(found.map { $0?.section } == [0, 0, 0, 1, 1])
        #expect(found.map { $0?.hasOwnSection } == [true, true, false, true, true])
        let before = stretches.stretch(of: 9)?.first
        #expect(before == nil && stretches.last == 14)
    }

    @Test("end where another one begins, or with the playlist")
    func ends() throws {
        let stretches = StretchesOfMedia(try Playlists.parsedMedia(text))
        #expect((10...15).map(stretches.isLast) == [false, true, true, false, true, true])
    }
}

@Suite("A rendition of an asset")
struct RenditionSourceTests {
    private func row(_ change: (inout RenditionRecord) -> Void = { _ in }) -> RenditionRecord {
        var row = RenditionRecord(
            name: "audio", position: 0, kind: .audio, required: true,
            listings: ["TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"de\""], hasPlaylist: true, container: .ts,
            duration: 8,
            segments: 2)
        change(&row)
        return row
    }

    @Test("is made from the stream that lists it, unless it has no playlist or is the user's file")
    func stream() {
        let stream = SelectedStream(row())
        #expect(stream?.kind == .audio && stream?.required == true && stream?.uri == nil)
        #expect(stream?.listings.map { $0["GROUP-ID"] } == ["a"])
        #expect(SelectedStream(row { $0.hasPlaylist = false }) == nil)
        #expect(SelectedStream(row { $0.sourceFile = "source.vtt" }) == nil)
        #expect(SelectedStream(row { $0.listings = [] }) == nil)
    }

    @Test("is fetched unless it was given up, has no playlist or is the user's file")
    func fetched() {
        #expect(row().isFetched)
        #expect(!row { $0.failure = "gone" }.isFetched)
        #expect(!row { $0.hasPlaylist = false }.isFetched)
        #expect(!row { $0.sourceFile = "source.vtt" }.isFetched)
    }
}

@Suite("The end of a playlist")
struct PlaylistEndTests {
    @Test(
        "is its last tag, also with blanks behind it",
        arguments: [
            ("#EXTM3U\n#EXT-X-ENDLIST", true), ("#EXTM3U\n#EXT-X-ENDLIST\r\n \t\n", true),
            ("#EXTM3U\n#EXT-X-ENDLIS", false), ("#EXTM3U\n#EXT-X-ENDLIST\na.ts\n", false), ("", false),
        ])
    func tag(_ text: String, _ hasEnd: Bool) {
        #expect(UnmeasuredPlaylist(bytes: Array(text.utf8)).hasEnd == hasEnd)
    }

    @Test(
        "is that of a line if it was not cut off",
        arguments: [("a\n", true), ("a\r", true), ("a\nb", false), ("", false)])
    func line(_ text: String, _ endsWithLine: Bool) {
        #expect(UnmeasuredPlaylist(bytes: Array(text.utf8)).endsWithLine == endsWithLine)
    }
}

@Suite("The budget of an asset's playlists")
struct PlaylistBudgetTests {
    @Test("is used up by their number, or by their bytes; the last one may have all the rest")
    func limits() throws {
        let budget = PlaylistBudget()
        for _ in 0..<TransferLimits.playlists { try budget.enter() }
        try budget.take(TransferLimits.playlistBytes - 1)
        #expect(throws: StoreError.self) { try budget.enter() }
        try budget.take(1)
        #expect(throws: StoreError.self) { try budget.take(1) }
    }

    @Test("lets another playlist begin while a byte is left")
    func bytes() throws {
        let budget = PlaylistBudget()
        try budget.take(TransferLimits.playlistBytes - 1)
        try budget.enter()
        try budget.take(1)
        #expect(throws: StoreError.self) { try budget.enter() }
    }
}
