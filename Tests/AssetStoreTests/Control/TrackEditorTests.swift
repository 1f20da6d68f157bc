import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("Tracks that are asked of a stream", .timeLimit(.minutes(2)))
struct TrackEditorTests {
    private static let wishes: [(String, @Sendable (inout Selection) -> Void)] = [
        ("audio language", { $0.audio = .all }), ("subtitle language", { $0.subtitles = .all }),
        ("trick play", { $0.trickPlay = true }), ("set of variants", { $0.allVariants = true }),
        ("height", { $0.maximumHeight = 360 }), ("bitrate", { $0.maximumBitrate = 900_000 }),
    ]

    @Test("which has no other ones are refused with the first of the wishes in words")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            for (wish, change) in Self.wishes {
                var selection = Selection()
                change(&selection)
                let wanted = selection
                let error = await failure { _ = try await fixture.store.tracks.add(wanted, to: token) }
                #expect(error?.text == "nothingSelected(wish: \"\(wish)\", offered: [])")
            }
        }
    }

    @Test("are none if nothing is asked for, and the origin is not asked")
    func nothing() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.forgetRequests()
            for selection in [nil, Selection()] {
                let added = try await fixture.store.tracks.add(selection, to: token)
                #expect(added.names.isEmpty && added.lost.isEmpty && added.leftOut.isEmpty)
            }
            #expect(try await fixture.store.tracks.addSubtitles([], to: token) == [])
            #expect(fixture.origin.requests.isEmpty)
        }
    }
}
