import AssetStore
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The codecs of a rendition", .timeLimit(.minutes(1)))
struct UnstoredCodecsTests {
    @Test("are found in a stored segment, whichever it is; without any, they are unknown")
    func unstored() async throws {
        let segments = MadePackets.sound([MadePackets.stereo, MadePackets.stereo])
        try await FilmFixture.run(segments: segments, "ts") { film async throws in
            func codecs(_ name: String = "video") throws -> String? {
                try FragmentedMedia().codecs(of: name, film.token, in: film.store)
            }
            let whole = try #require(try codecs())
            #expect(!whole.isEmpty)
            try film.lose(0)
            #expect(try codecs() == whole)
            try film.lose(1)
            #expect(try codecs() == nil && codecs("none") == nil)
        }
    }
}
