import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreModel
@testable import StoreReading

@Suite("Subtitle tracks that were made lately", .timeLimit(.minutes(1))) struct SubtitleCacheTests {
    @Test("are kept, those that were used last, and only in their present revision")
    func lately() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveSubtitledStream("/film")
            let token = try await fixture.download("/film/master.m3u8").token
            let made = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            let cache = SubtitleCache()
            for number in 0..<24 { cache.store(made, under: "\(number)") }
            func isKept(_ number: Int) -> Bool { cache.find("\(number)", revision: made.revision) != nil }
            #expect(isKept(0) && cache.find("0", revision: "other") == nil)
            cache.store(made, under: "24")
            #expect(!isKept(1) && isKept(0) && isKept(2) && isKept(24))
            cache.store(made, under: "2")
            cache.store(made, under: "25")
            #expect(!isKept(3) && isKept(2) && isKept(25))
        }
    }
}
