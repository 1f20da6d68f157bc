import ModelTestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("Tracks that are removed from an asset")
struct TrackRemovalTests {
    private func row(
        _ id: Int64, _ name: String, _ kind: RenditionKind, _ listing: String, required: Bool = false,
        stored: Int = 2, failure: String? = nil
    ) -> RenditionRecord {
        RenditionRecord(
            id: id, name: name, position: Int(id), kind: kind, required: required, listings: [listing],
            hasPlaylist: true, container: .ts, duration: 8, segments: 2, storedSegments: stored,
            failure: failure)
    }

    private func group(_ name: String) -> String { "GROUP-ID=\"\(name)\"" }

    private var rows: [RenditionRecord] {
        [
            row(1, "video", .variant, "BANDWIDTH=900000", required: true),
            row(2, "video-2", .variant, "BANDWIDTH=300000", required: true),
            row(3, "en", .audio, group("g"), required: true), row(4, "text", .subtitles, group("g")),
            row(5, "it", .audio, group("other")), row(6, "es", .audio, group("g"), failure: "gone"),
            row(7, "fr", .audio, group("g"), stored: 1), row(8, "de", .audio, group("g")),
        ]
    }

    @Test("leave the place of the main one to a track of their kind and group, a complete one first")
    func substitutes() throws {
        let one = try TrackRemoval(["en"], from: rows)
        #expect(one.removed.map(\.name) == ["en"] && one.promoted == [8])
        let two = try TrackRemoval(["de", "en"], from: rows)
        #expect(two.removed.map(\.name) == ["de", "en"] && two.promoted == [7])
    }

    @Test("need no other in their place unless the asset plays with them alone")
    func spare() throws {
        let spare = try TrackRemoval(["fr", "text", "fr"], from: rows)
        #expect(spare.removed.map(\.name) == ["fr", "text"] && spare.promoted.isEmpty)
        let variant = try TrackRemoval(["video-2"], from: rows)
        #expect(variant.removed.map(\.name) == ["video-2"] && variant.promoted.isEmpty)
    }

    @Test("are never the main variant, the last sound of a group, or unknown")
    func refused() async {
        let video = await failure { _ = try TrackRemoval(["de", "video"], from: rows) }
        #expect(video?.text == #"mainRendition("video")"#)
        let sound = await failure { _ = try TrackRemoval(["de", "fr", "en"], from: rows) }
        #expect(sound?.text == #"mainRendition("en")"#)
        let unknown = await failure { _ = try TrackRemoval(["xx"], from: rows) }
        #expect(unknown?.text == #"noSuchRendition("xx")"#)
    }
}
