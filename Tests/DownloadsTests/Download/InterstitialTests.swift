import Foundation
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

/// Advertisements and the like, which date ranges name.
@Suite(.timeLimit(.minutes(2)))
struct InterstitialTests {
    private func range(_ id: String, _ more: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2026-01-01T00:00:04Z\",X-RESUME-OFFSET=0,\(more)\n"
    }

    /// A stream with three interstitials: an asset, a list of two and one that is not there.
    private func publish(_ origin: OriginServer) {
        origin.serveStream("/one", count: 2, seed: 50)
        origin.serveStream("/two", count: 2, seed: 60)
        origin.serve(
            "/ads.json",
            text:
                #"{"ASSETS": [{"URI": "one/index.m3u8", "DURATION": 8}, {"URI": "none.m3u8", "DURATION": 2}, "#
                + #"{"URI": "\#(origin.url("/two/index.m3u8"))", "DURATION": 8, "X-T": "https://spy.example"}]}"#
        )
        let tags =
            range("a", #"X-ASSET-URI="../two/index.m3u8?secret=1",X-BEACON="https://spy.example/x""#)
            + range("b", #"X-ASSET-LIST="/ads.json""#) + range("c", #"X-ASSET-URI="/gone.m3u8""#)
            + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        origin.serveStream("/main", count: 3, tags: tags)
    }

    private func ranges(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") } }

    private func children(_ fixture: StoreFixture, of token: AssetToken) throws -> [Asset] {
        try fixture.store.reader.assets().filter { $0.meta["interstitial_of"] == token.description }
    }

    @Test("their assets are stored and named here; those that can't be fetched are left out and reported")
    func kept() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            var request = fixture.request("/main/index.m3u8")
            request.selection.interstitials = .keep
            let added = try await fixture.store.intake.add(request)
            #expect(added.lost.count == 2 && added.lost.allSatisfy { $0.contains("interstitial") })
            let children = try children(fixture, of: added.token)
            #expect(children.count == 3)
            for token in [added.token] + children.map(\.token) {
                await fixture.store.untilSettled(token)
                #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            }
            let kept = ranges(try fixture.mediaLines(added.token))
            #expect(kept.count == 2 && !kept.joined().contains("://") && !kept.joined().contains("secret"))
            #expect(kept[0].contains("ID=\"a\"") && kept[0].contains("X-RESUME-OFFSET=0"))
            let own = children.first { kept[0].contains("X-ASSET-URI=\"../../\($0.token)/master.m3u8\"") }
            #expect(own != nil)
            #expect(kept[1].contains("X-ASSET-LIST=\"../interstitials/1.json\""))
            try await check(fixture, list: 1, of: added.token, among: children)
        }
    }

    private func check(
        _ fixture: StoreFixture, list number: Int, of token: AssetToken, among children: [Asset]
    ) async throws {
        let reader = fixture.store.reader
        let bytes = try #require(try reader.playlists.interstitialList(token, number, server: "http://here"))
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let assets = try #require(object?["ASSETS"] as? [[String: Any]])
        #expect(assets.map { $0["DURATION"] as? Double } == [8, 8] && assets.allSatisfy { $0.count == 2 })
        let uris = assets.compactMap { $0["URI"] as? String }
        #expect(Set(uris).isSubset(of: children.map { "http://here/assets/\($0.token)/master.m3u8" }))
        try await fixture.store.remove(token)
        #expect(try fixture.store.reader.assets().isEmpty)
    }

    @Test("a crash before the naming asset is entered leaves none of them; they are made once, with that")
    func crashed() async throws {
        let (folder, origin) = (try TemporaryDirectory(), try OriginServer())
        publish(origin)
        let first = try StoreFixture(in: folder, origin: origin)
        var request = first.request("/main/index.m3u8")
        request.selection.interstitials = .keep
        let entered = try await first.store.intake.enqueue([request], isHeld: true)
        let token = try #require(entered.tokens.first)
        let found = try await first.store.intake.survey.read(request, url: request.url, token: token)
        try first.store.intake.enter(found.interstitials)
        #expect(try children(first, of: token).count == 3)
        await first.store.stop()
        let second = try StoreFixture(in: folder, origin: origin)
        #expect(try second.store.reader.assets().map(\.token) == [token])
        await second.store.start()
        await second.store.untilSettled(token)
        let made = try children(second, of: token)
        #expect(made.count == 3)
        for child in made {
            await second.store.untilSettled(child.token)
            #expect(try second.store.reader.requireAsset(child.token).state == .complete)
        }
        await second.store.stop()
    }

    @Test("unless they are to be kept, nothing of them is fetched or named")
    func dropped() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let asset = try await fixture.download("/main/index.m3u8")
            #expect(try asset.state == .complete && ranges(fixture.mediaLines(asset.token)).isEmpty)
            #expect(fixture.origin.paths.allSatisfy { $0.hasPrefix("/main/") })
            #expect(try fixture.store.reader.assets().count == 1)
        }
    }

    @Test("a removed interstitial is not listed any more, and an export has no interstitials")
    func removedAlone() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let asset = try await fixture.download("/main/index.m3u8") {
                $0.selection.interstitials = .keep
            }
            let folder = fixture.root.removingLastComponent().appending("out")
            try fixture.store.reader.exporter.export(asset.token, to: folder, withKeys: false)
            let path = folder.appending("video").appending("media.m3u8")
            let text = String(decoding: try DurableWrite.read(path) ?? [], as: UTF8.self)
            #expect(text.contains("#EXTINF") && !text.contains("DATERANGE"))
            for child in try children(fixture, of: asset.token) {
                try await fixture.store.remove(child.token)
            }
            let clear = try #require(
                try fixture.store.reader.playlists.clearMediaPlaylist(asset.token, "video"))
            #expect(!String(decoding: clear, as: UTF8.self).contains("X-ASSET-URI"))
        }
    }

    @Test("headers go to the host that they were given for, and to no other")
    func headers() async throws {
        let other = try OriginServer()
        other.serveStream("/ad", count: 2)
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/near", count: 2)
            fixture.origin.serveStream(
                "/main", count: 2,
                tags: range("a", "X-ASSET-URI=\"\(other.url("/ad/index.m3u8"))\"")
                    + range("b", "X-ASSET-URI=\"/near/index.m3u8\""))
            let asset = try await fixture.download("/main/index.m3u8") {
                $0.selection.interstitials = .keep
                $0.access.headers = [["X-Ticket", "1"]]
            }
            let children = try children(fixture, of: asset.token)
            #expect(children.count == 2)
            for child in children { await fixture.store.untilSettled(child.token) }
            #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.header("X-Ticket") == nil })
            #expect(fixture.origin.requests.allSatisfy { $0.header("X-Ticket") == "1" })
        }
        other.stop()
    }

    @Test("those that appear in a recording are stored and named, too")
    func live() async throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let late = [0: date, 5: range("x", "X-ASSET-URI=\"/one/index.m3u8\"")]
        let show = LiveShow(
            try OriginServer(),
            pages: [
                LiveShow.page(0..<3, tags: late), LiveShow.page(0..<6, tags: late),
                LiveShow.page(0..<8, tags: late, isEnd: true),
            ])
        show.serveSegments(8)
        publish(show.origin)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        show.hold(at: 1)
        let recorded = Task {
            try await fixture.record(show) { $0.selection.interstitials = .keep }
        }
        try await show.untilHeld()
        let parent = try fixture.store.reader.assets().first { $0.meta["interstitial_of"] == nil }
        let token = try #require(parent?.token)
        while ranges(try fixture.mediaLines(token)).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let child = try #require(try children(fixture, of: token).first).token
        show.release()
        #expect(try await recorded.value.state == .complete)
        #expect(
            ranges(try fixture.mediaLines(token)).first?.contains("\"../../\(child)/master.m3u8\"") == true)
        await fixture.store.untilSettled(child)
        #expect(try fixture.store.reader.requireAsset(child).state == .complete)
        await fixture.store.stop()
    }
}
