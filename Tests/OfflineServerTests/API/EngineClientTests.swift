import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A command that asks the server of its store", .fewAtOnce, .timeLimit(.minutes(2)))
struct EngineClientTests {
    private func withClient(_ body: (EngineClient, Site) async throws -> Void) async throws {
        try await withSite { site in
            let client = try #require(try await EngineClient.find(FilePath(site.folder.path)))
            try await body(client, site)
            await client.close()
        }
    }

    /// Requests that are too large together for one body.
    private func requests(_ name: String) -> [AssetRequest] {
        (0..<12).map { number in
            var request = AssetRequest(url: "http://127.0.0.1:1/\(name)/\(number).m3u8")
            request.name = "\(name) \(number)"
            request.meta["long"] = String(repeating: "x", count: 100_000)
            return request
        }
    }

    @Test("enters more streams than one request can hold, in their order")
    func portions() async throws {
        try await withClient { client, site in
            let requests = requests("all")
            let entered = try await client.enqueue(requests, next: nil)
            #expect(entered.ready == 12)
            let reader = site.server.store.reader
            let names = try entered.tokens.map { try reader.progress(of: $0)?.name }
            #expect(names == requests.map(\.name))
        }
    }

    @Test("enters as many streams of a long list as are wanted, and no more", arguments: [5, 6, 7])
    func next(_ count: Int) async throws {
        try await withClient { client, _ in
            let entered = try await client.enqueue(requests("next"), next: count)
            #expect(entered.tokens.count == count && entered.ready == count)
        }
    }

    @Test("finds no server where none runs")
    func none() async throws {
        let folder = try TemporaryDirectory()
        let client = try await EngineClient.find(FilePath(folder.path))
        #expect(client == nil)
    }

    @Test("gets the result of the check that it names")
    func findings() async throws {
        try await withClient { client, site in
            let finding = try await client.finding(of: "store")
            #expect(finding?.isFine == true && finding?.detail == site.folder.path)
            let other = try await client.finding(of: "no check")
            #expect(other == nil)
        }
    }

    @Test("gets figures of assets that the engine may be working on, and of no others")
    func figures() async throws {
        try await withSample { site, token in
            var asset = try site.server.store.reader.requireAsset(token)
            var look = LiveLook(root: FilePath(site.folder.path))
            let active: Set<AssetState> = [.downloading, .resolving, .failed, .queued]
            for state in AssetState.allCases {
                (asset.state, asset.reason) = (state, nil)
                let tokens = await look.figures(of: [asset]).map(\.key)
                #expect(tokens == (active.contains(state) ? [token] : []), "\(state)")
            }
            (asset.state, asset.reason) = (.queued, Asset.reasonOfNoEngine)
            let waiting = await look.figures(of: [asset])
            #expect(waiting.isEmpty)
            asset.state = .downloading
            let running = await look.figures(of: [asset])
            #expect(running.count == 1)
            await look.close()
        }
    }
}
