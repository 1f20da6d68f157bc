import Foundation
import Testing

extension EndToEnd {
    /// The first thing that a new user does.
    @Suite("The demo", .timeLimit(.minutes(2)))
    struct DemoTests {
        private struct Listed: Decodable {
            let token: String
        }

        @Test(
            "serve --demo has one asset, which plays whole with no network, and once more does not add another"
        )
        func demoPlays() async throws {
            let stream = try await Stream.of(.demuxed)
            let product = try Product()
            try await product.serving(["--demo"]) { _ in }
            try await product.serving(["--demo"]) { base in
                let assets = try await listed(product)
                #expect(assets.count == 1)
                let token = try #require(assets.first).token
                let video = try await Players.checksums("\(base)/assets/\(token)/master.m3u8", "v")
                #expect(video == stream.video)
            }
        }

        private func listed(_ product: Product) async throws -> [Listed] {
            let outcome = try await product.program().run(["list", "--json"])
            return try JSONDecoder().decode([Listed].self, from: Data(outcome.output.utf8))
        }
    }
}
