import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A command for more assets than one request can name", .fewAtOnce, .timeLimit(.minutes(3)))
struct ManyAssetsTests {
    @Test("applies to all of them", arguments: [true, false])
    func all(isPin: Bool) async throws {
        try await withSample { site, token in
            let client = try #require(try await EngineClient.find(FilePath(site.folder.path)))
            let unknown = (Int64(0)..<36_500).map { AssetToken(at: Timestamp(milliseconds: $0)) }
            let tokens = unknown + [token]
            let report =
                try await isPin ? client.pin(tokens, true) : client.prioritize(tokens, 5)
            await client.close()
            let (done, refused) = (report.done.map { $0.token }, report.refused.count)
            #expect(done == [token.description] && refused == unknown.count)
        }
    }
}
