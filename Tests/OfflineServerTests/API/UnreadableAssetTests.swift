import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The API, of an asset whose files can't be looked at", .fewAtOnce, .timeLimit(.minutes(2)))
struct UnreadableAssetTests {
    /// Runs a test with an asset that has a link to itself in the place of a folder: nobody can open that, not even root.
    private func withBarred(_ body: (Site, _ path: String) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let store = site.server.store
            let token = try await store.intake.add(AssetRequest(url: url)).token
            await store.untilSettled(token)
            let asset = try store.reader.requireAsset(token)
            let name = try #require(asset.renditions.first { $0.hasPlaylist && $0.isRequired }?.name)
            let folder = site.folder.file("assets/\(token)/\(name)")
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder)
            try await body(site, "/api/v1/assets/\(token)")
        }
        origin.stop()
    }

    @Test("answers a successful change with the asset and its obstacle, as listings have it")
    func changes() async throws {
        try await withBarred { site, path async throws in
            let type = ["Content-Type": "application/json"]
            let reply = try await site.request("PATCH", path, type, body: #"{"name": "N"}"#)
            #expect(reply.status == 200 && reply.object["name"] as? String == "N")
            let playable = reply.object["playable"] as? [String: Any]
            // The watch of folders may have seen the moment at which there was neither folder nor link.
            #expect((playable?["blocked_by"] as? [String])?.contains("unreadable") == true)
        }
    }

    @Test("names the reason if the asset itself is requested")
    func asked() async throws {
        try await withBarred { site, path async throws in
            #expect(try await site.get(path).status >= 400)
        }
    }
}
