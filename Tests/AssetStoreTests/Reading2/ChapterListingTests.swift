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

@Suite("The chapters of a stream", .timeLimit(.minutes(2)))
struct ChapterListingTests {
    @Test("in the playlist itself are listed unless the asset begins later than the stream")
    func inPlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",VALUE="0 One, 9 Two""#,
                    Playlists.variant("v/index.m3u8", 1000)))
            func isListed(from start: Double?, to end: Double?) async throws -> Bool {
                let asset = try await fixture.download("/master.m3u8") {
                    ($0.selection.start, $0.selection.end) = (start, end)
                }
                return try fixture.master(asset.token).contains("com.apple.hls.chapters")
            }
            #expect(try await isListed(from: nil, to: nil))
            #expect(try await isListed(from: nil, to: 8))
            #expect(try await !isListed(from: 4, to: nil))
            // Whole segments are stored: this part begins with the stream.
            #expect(try await isListed(from: 2, to: nil))
        }
    }

    @Test("in a file end with a part of the stream")
    func inFile() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let list = #"[{"start-time": 0, "duration": 20}, {"start-time": 8}]"#
            fixture.origin.serve("/chapters.json", text: list, contentType: "application/json")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json""#,
                    Playlists.variant("v/index.m3u8", 1000)))
            let token = try await fixture.download("/master.m3u8") { $0.selection.end = 8 }.token
            #expect(try fixture.store.catalog.assets.asset(token)?.selection.partStart == 0)
            let chapters = try #require(try fixture.store.reader.sessionData(of: token, 0))
            let text = String(decoding: chapters.bytes, as: UTF8.self).filter { $0 != " " }
            #expect(text == #"[{"duration":8,"start-time":0}]"# && chapters.isJSON)
        }
    }
}
