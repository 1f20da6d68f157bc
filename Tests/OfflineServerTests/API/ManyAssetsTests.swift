import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A command for more assets than one request can name", .fewAtOnce, .timeLimit(.minutes(3)))
struct ManyAssetsTests {
    @Test("applies to all of them")
    func all() async throws {
        try await withSample { site, token in
            let client = try #require(try await EngineClient.find(FilePath(site.folder.path)))
            let unknown = (Int64(0)..<20_000).map { AssetToken(at: Timestamp(milliseconds: $0)) }
            let tokens = unknown + [token]
            let report = try await client.pin(tokens, true)
            await client.close()
            let (done, refused) = (report.done.map { $0.token }, report.refused.count)
            #expect(done == [token.description] && refused == unknown.count)
        }
    }
}
