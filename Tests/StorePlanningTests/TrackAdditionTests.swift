import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("Tracks that an asset lacks")
struct TrackAdditionTests {
    private static let video = "BANDWIDTH=900000,AUDIO=\"a\""

    private static func audio(_ language: String, group: String = "a", uri: String = "") -> String {
        let address = uri.isEmpty ? "" : ",URI=\"\(uri)\""
        return "TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"\(language)\"\(address)"
    }

    private func stream(
        _ kind: RenditionKind, _ uri: String, _ listings: String...
    ) throws -> SelectedStream {
        let lists = try listings.map { try AttributeList(parsing: $0) }
        return SelectedStream(kind: kind, uri: uri, required: false, listings: lists)
    }

    private func row(
        _ id: Int64, _ kind: RenditionKind, _ listings: String..., failure: String? = nil
    ) -> RenditionRecord {
        RenditionRecord(
            id: id, name: "\(id)", position: Int(id), kind: kind, required: kind == .variant,
            listings: listings, hasPlaylist: true, container: .ts, duration: 8, segments: 2,
            failure: failure)
    }

    private func addition(
        _ streams: [SelectedStream], wished: [SelectedStream], to rows: [RenditionRecord]
    ) -> TrackAddition {
        TrackAddition(streams, wished: Set(wished.flatMap(\.listings)), to: rows)
    }

    @Test("are the wished streams that none of its renditions was made of, at whatever address")
    func missing() throws {
        let streams = [
            try stream(.variant, "moved-v", Self.video),
            try stream(.audio, "moved-en", Self.audio("en", uri: "moved-en")),
            try stream(.audio, "de", Self.audio("de", uri: "de")),
            try stream(.audio, "fr", Self.audio("fr", uri: "fr")),
        ]
        let rows = [row(1, .audio, Self.audio("en", uri: "en")), row(2, .variant, Self.video)]
        let wider = addition(streams, wished: Array(streams.prefix(3)), to: rows)
        #expect(wider.main?.uri == "moved-v")
        #expect(wider.missing.map(\.uri) == ["de"])
        #expect(wider.listings.isEmpty && wider.lost.isEmpty && !wider.isEmpty)
        let same = addition(streams, wished: Array(streams.prefix(2)), to: rows)
        #expect(same.isEmpty)
    }

    @Test("do not include the main variant, which may not be listed any more")
    func otherMain() throws {
        let streams = [try stream(.audio, "en", Self.audio("en"))]
        let rows = [row(1, .variant, Self.video), row(2, .audio, Self.audio("en"))]
        let found = addition(streams, wished: streams, to: rows)
        #expect(found.main == nil && found.isEmpty)
    }

    @Test("include those that it has given up, if they are wished again")
    func lost() throws {
        let streams = [
            try stream(.variant, "v", Self.video), try stream(.audio, "en", Self.audio("en")),
            try stream(.audio, "de", Self.audio("de")),
        ]
        let rows = [
            row(1, .variant, Self.video), row(2, .audio, Self.audio("en"), failure: "gone"),
            row(3, .audio, Self.audio("de"), failure: "gone"),
        ]
        let again = addition(streams, wished: [streams[2]], to: rows)
        #expect(again.lost == [3] && again.missing.isEmpty && again.listings.isEmpty)
        #expect(!again.isEmpty)
    }

    @Test("that another group lists as well get that group's tag behind their own")
    func otherGroup() throws {
        let streams = [
            try stream(.audio, "en", Self.audio("en"), Self.audio("en", group: "b")),
            try stream(.audio, "de", Self.audio("de")),
        ]
        let rows = [row(1, .audio, Self.audio("en")), row(2, .audio, Self.audio("de"))]
        let found = addition(streams, wished: streams, to: rows)
        #expect(found.listings.map { $0.rendition } == [1])
        #expect(found.listings.first?.listings == [Self.audio("en"), Self.audio("en", group: "b")])
        #expect(found.missing.isEmpty && !found.isEmpty)
    }
}

@Suite("A playlist continues an earlier one")
struct PlaylistContinuationTests {
    private let earlier = Playlists.media(["a.ts", "b.ts", "c.ts"])

    private func continues(_ now: String, _ before: String) throws -> Bool {
        try Playlists.parsedMedia(now).continues(Playlists.parsedMedia(before))
    }

    @Test("if it has all of its segments by their numbers, at any addresses, and maybe more")
    func numbers() throws {
        let part = "#EXT-X-MEDIA-SEQUENCE:1\n"
        #expect(try continues(Playlists.media(["x", "y", "z", "more"]), earlier))
        #expect(try continues(earlier, Playlists.media(["b.ts", "c.ts"], tags: part)))
        #expect(try !continues(Playlists.media(["a.ts", "b.ts"]), earlier))
        #expect(try !continues(Playlists.media(["b.ts", "c.ts", "d.ts"], tags: part), earlier))
    }

    @Test("if its segments are as long, but for the rounding of a length")
    func lengths() throws {
        #expect(try continues(earlier.replacing("#EXTINF:4,\nb.ts", with: "#EXTINF:4.04,\nb.ts"), earlier))
        #expect(try !continues(earlier.replacing("#EXTINF:4,\nb.ts", with: "#EXTINF:4.06,\nb.ts"), earlier))
    }

    @Test("if no segment has another date; one without a date may be the same")
    func dates() throws {
        func dated(_ second: Int) -> String {
            let tag = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:0\(second)Z\n"
            return earlier.replacing("#EXTINF:4,\nb.ts", with: "\(tag)#EXTINF:4,\nb.ts")
        }
        #expect(try continues(dated(4), dated(4)))
        #expect(try !continues(dated(5), dated(4)))
        #expect(try continues(dated(4), earlier))
        #expect(try continues(earlier, dated(4)))
        let longer = dated(4).replacing("#EXTINF:4,\nb.ts", with: "#EXTINF:5,\nb.ts")
        #expect(try !continues(longer, dated(4)))
    }
}
