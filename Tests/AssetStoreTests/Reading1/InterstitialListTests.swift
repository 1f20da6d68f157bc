import StoreTestSupport
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

@Suite("The asset list of an interstitial", .timeLimit(.minutes(2)))
struct InterstitialListTests {
    private func range(_ id: String, list: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2026-01-01T00:00:04Z\",X-ASSET-LIST=\"\(list)\"\n"
    }

    /// Downloads a stream with two lists: one of two assets, and one of another asset.
    private func film(_ fixture: StoreFixture) async throws -> AssetToken {
        let origin = fixture.origin
        for (number, name) in ["one", "two", "three"].enumerated() {
            origin.serveStream("/\(name)", count: number + 1, seed: UInt64(50 + 10 * number))
        }
        origin.serve(
            "/first.json",
            text: #"{"ASSETS": [{"URI": "one/index.m3u8", "DURATION": 4}, "#
                + #"{"URI": "two/index.m3u8", "DURATION": 8}]}"#)
        origin.serve("/second.json", text: #"{"ASSETS": [{"URI": "three/index.m3u8", "DURATION": 12}]}"#)
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let tags = range("a", list: "/first.json") + range("b", list: "/second.json") + date
        origin.serveStream("/main", count: 3, tags: tags)
        return try await fixture.download("/main/index.m3u8") { $0.selection.interstitials = .keep }.token
    }

    private func list(
        _ number: Int, of token: AssetToken, _ fixture: StoreFixture
    ) throws -> InterstitialList? {
        let bytes = try fixture.store.reader.playlists.interstitialList(
            token, number, server: "http://here")
        return bytes.flatMap { InterstitialList($0) }
    }

    @Test("has the assets of its own list that are still there, at their addresses here")
    func assets() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture)
            let children = try fixture.store.reader.assets().filter {
                $0.meta["interstitial_of"] == token.description
            }
            #expect(children.count == 3)
            for child in children { await fixture.store.untilSettled(child.token) }
            let records = try fixture.store.catalog.interstitials.all(of: token)
            let first = try #require(records.first { $0.address.hasSuffix("/first.json") }?.number)
            let second = try #require(records.first { $0.address.hasSuffix("/second.json") }?.number)
            #expect(try list(first, of: token, fixture)?.assets.map(\.duration) == [4, 8])
            let other = try #require(try list(second, of: token, fixture))
            #expect(other.assets.map(\.duration) == [12])
            let three = try #require(children.first { $0.sourceURL.contains("/three/") })
            #expect(other.assets.map(\.uri) == ["http://here/assets/\(three.token)/master.m3u8"])
            let one = try #require(children.first { $0.sourceURL.contains("/one/") })
            try await fixture.store.remove(one.token)
            #expect(try list(first, of: token, fixture)?.assets.map(\.duration) == [8])
        }
    }

    @Test("is not there for a number that no interstitial has, nor for an unknown asset")
    func none() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture)
            let numbers = try fixture.store.catalog.interstitials.all(of: token).map(\.number)
            let free = try #require(numbers.max()) + 1
            #expect(try list(free, of: token, fixture) == nil)
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            #expect(try list(numbers[0], of: other, fixture) == nil)
        }
    }
}
