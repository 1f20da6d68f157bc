import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("A selection that is added to an asset")
struct AddedSelectionTests {
    private static let low = "BANDWIDTH=300000,RESOLUTION=320x180,AUDIO=\"lo\",SUBTITLES=\"s\""
    private static let high = "BANDWIDTH=900000,RESOLUTION=640x360,AUDIO=\"hi\",SUBTITLES=\"s\""
    private static let text = Playlists.master(
        Playlists.rendition("AUDIO", "lo", "en", "lo-en", "DEFAULT=YES"),
        Playlists.rendition("AUDIO", "lo", "de", "lo-de"),
        Playlists.rendition("AUDIO", "hi", "en", "hi-en", "DEFAULT=YES"),
        Playlists.rendition("AUDIO", "hi", "de", "hi-de"),
        Playlists.rendition("SUBTITLES", "s", "en", "s-en"),
        "#EXT-X-STREAM-INF:\(low)\nlow", "#EXT-X-STREAM-INF:\(high)\nhigh")

    private func row(_ listing: String, failure: String? = nil) -> RenditionRecord {
        RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [listing],
            hasPlaylist: true, container: .ts, duration: 8, segments: 2, failure: failure)
    }

    private func wished(
        beside rows: [RenditionRecord], _ change: (inout Selection) -> Void
    ) throws -> Set<AttributeList> {
        var selection = Selection()
        change(&selection)
        let master = try Playlists.parsedMaster(Self.text)
        return try StreamSelector.listings(wishedFor: selection, from: master, beside: rows)
    }

    @Test("takes languages of the groups of those variants that the asset has, and nothing else")
    func languages() throws {
        let rows = [row(Self.low), row(Self.high, failure: "gone")]
        let lists = try wished(beside: rows) { $0.audio = .matching(["de"]) }
        #expect(Set(lists.compactMap { $0["URI"] }) == ["lo-de"])
        #expect(lists.count == 1)
    }

    @Test("takes nothing if the asset has the variant that it names")
    func presentVariant() throws {
        let lists = try wished(beside: [row(Self.low)]) { $0.maximumHeight = 180 }
        #expect(lists.isEmpty)
    }

    @Test("takes a new variant with the groups that no other variant has")
    func variant() throws {
        let lists = try wished(beside: [row(Self.low)]) { $0.maximumHeight = 360 }
        #expect(Set(lists.compactMap { $0["URI"] }) == ["hi-en"])
        #expect(lists.contains { $0["BANDWIDTH"] == "900000" } && lists.count == 2)
    }
}
