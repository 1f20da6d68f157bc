import AssetStore
import Foundation
import Locking
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A license over HTTP", .fewAtOnce, .timeLimit(.minutes(2)))
struct LicenseTests {
    /// The sample, downloaded from an origin that renewals can ask.
    private func withDownload(
        _ license: LicenseTerms = LicenseTerms(), clock: any WallClock = SystemWallClock(),
        _ body: (Site, AssetToken, OriginServer) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        var request = AssetRequest(url: SampleStream().publish(on: origin))
        request.license = license
        try await withSite({ $0.engine.clock = clock }) { [request] site in
            let token = try await site.server.store.intake.add(request).token
            await site.server.store.untilSettled(token)
            try await body(site, token, origin)
        }
        origin.stop()
    }

    private static func path(_ token: AssetToken) -> String { "/api/v1/assets/\(token)/license" }

    @Test("is shown, renewed with other terms, and revoked")
    func resource() async throws {
        try await withDownload(LicenseTerms(rental: 3600)) { site, token, _ in
            let path = Self.path(token)
            let shown = try await site.get(path).object
            #expect(shown["state"] as? String == "valid")
            #expect(shown["kind"] as? String == "rental")
            #expect((shown["expires_at"] as? String)?.hasSuffix("Z") == true)
            let renewed = try await site.post(path, #"{"purchase": true, "play_window": "2d"}"#)
            #expect(renewed.status == 200)
            #expect(renewed.object["expires_at"] as? String == "never")
            #expect(renewed.object["play_window"] as? Int == 172_800)
            let revoked = try await site.request("DELETE", path)
            #expect(revoked.object["state"] as? String == "revoked")
            #expect(revoked.object["expires_at"] is NSNull)
            let history = try #require(revoked.object["history"] as? [[String: Any]])
            #expect(history.compactMap { $0["event"] as? String } == ["revoked", "renewed", "requested"])
        }
    }

    @Test(
        "whose play window has not begun gives no key and no decrypted media to a link of another site"
    )
    func links() async throws {
        try await withDownload(LicenseTerms(playWindow: 3600)) { site, token, _ in
            let link = [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
            ]
            for path in ["keys/k0.key", "video-360p/0.ts?decrypt=1"] {
                let followed = try await site.get("/assets/\(token)/\(path)", link)
                #expect(followed.status == 403, "\(path)")
            }
            let untouched = try await site.get(Self.path(token)).object
            #expect(untouched["first_played_at"] is NSNull)
            let key = try await site.get("/assets/\(token)/keys/k0.key")
            let played = try await site.get(Self.path(token)).object
            #expect(key.status == 200 && played["first_played_at"] is String)
        }
    }

    @Test("that ends soon lists its asset among those that expire")
    func expiring() async throws {
        try await withDownload(LicenseTerms(rental: 3600)) { site, _, _ in
            for (time, count) in [("2h", 1), ("30m", 0), ("7200", 1)] {
                let list = try await site.get("/api/v1/assets?expiring=\(time)").object
                #expect((list["assets"] as? [Any])?.count == count, "\(time)")
            }
            #expect(try await site.get("/api/v1/assets?expiring=soon").status == 400)
            let program = try Program(store: site.folder)
            #expect(try await program.run("list", "--json", "--expiring", "2h").array.count == 1)
            #expect(try await program.run("list", "--json", "--expiring", "30m").array.isEmpty)
        }
    }

    @Test(
        "is not renewed with anything that is no license",
        arguments: [
            #"{"audio": "de"}"#, #"{"rental": "soon"}"#, #"{"rental": 0}"#, "[]",
            #"{"purchase": true, "rental": "1d"}"#,
        ])
    func wrongBody(body: String) async throws {
        try await withDownload { site, token, _ in
            let reply = try await site.post(Self.path(token), body)
            #expect(reply.status == 400)
        }
    }

    @Test("that was revoked keeps the key back and says how to get it; so do the playlists")
    func refusals() async throws {
        try await withDownload { site, token, _ in
            _ = try await site.request("DELETE", Self.path(token))
            for path in ["keys/k0.key", "master.m3u8", "video-360p/media.m3u8", "video-360p/0.ts"] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 403, "\(path)")
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect(reply["Cache-Control"] == "no-store")
                #expect((reply.object["type"] as? String)?.hasSuffix("license-revoked") == true)
                #expect(reply.text.contains("`renewLicense(of:)` gets a new one"))
                #expect(reply.object["token"] as? String == token.description)
            }
        }
    }

    @Test("that was revoked permits no playback, and stored media are listed as before")
    func storedRanges() async throws {
        try await withDownload { site, token, _ in
            _ = try await site.request("DELETE", Self.path(token))
            let object = try await site.get("/api/v1/assets/\(token)").object
            let ranges = try #require(object["time_ranges"] as? [[String: Double]])
            #expect(ranges == [["start": 0, "duration": SampleStream.duration]])
            let playable = try #require(object["playable"] as? [String: Any])
            #expect(playable["offline"] as? Bool == false)
            #expect((playable["ranges"] as? [Any])?.isEmpty == true)
            #expect(playable["blocked_by"] as? [String] == ["license-revoked"])
        }
    }

    @Test("that ends in the middle of a film lets the player finish within a day, but starts no other")
    func midFilm() async throws {
        let clock = SteppedClock()
        try await withDownload(LicenseTerms(rental: 3600), clock: clock) { site, token, _ in
            let key = try await site.get("/assets/\(token)/keys/k0.key")
            #expect(key.status == 200)
            #expect(key.body == SampleStream.key)
            #expect(key["Cache-Control"] == "no-store")
            #expect(key["Content-Type"] == "application/octet-stream")
            clock.pass(3600)
            for path in ["video-360p/3.ts", "video-360p/media.m3u8"] {
                #expect(try await site.get("/assets/\(token)/\(path)").status == 200)
            }
            let list = try await site.get("/assets/\(token)/video-360p/media.m3u8?available=1")
            #expect(list.status == 200 && list.text.contains("\n3.ts\n"))
            for path in ["master.m3u8", "keys/k0.key", "video-360p/3.ts?decrypt=1"] {
                #expect(try await site.get("/assets/\(token)/\(path)").status == 403)
            }
            clock.pass(86_400)
            for path in ["video-360p/2.ts", "audio-en/media.m3u8"] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 403)
                #expect((reply.object["type"] as? String)?.hasSuffix("license-expired") == true)
            }
        }
    }

    @Test("that is revoked in the middle of a film stops the player at once")
    func revokedMidFilm() async throws {
        try await withDownload { site, token, _ in
            let paths = ["keys/k0.key", "video-360p/3.ts", "video-360p/media.m3u8"]
            for path in paths { #expect(try await site.get("/assets/\(token)/\(path)").status == 200) }
            _ = try await site.request("DELETE", Self.path(token))
            for path in paths {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 403, "\(path)")
                #expect((reply.object["type"] as? String)?.hasSuffix("license-revoked") == true)
            }
        }
    }

    @Test("of an unknown asset is a 404, of an unencrypted one a conflict")
    func others() async throws {
        try await withDownload { site, _, origin in
            origin.serve("/clear/0.ts", bytes: SampleStream.clearVideo(0))
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n"
            origin.serve("/clear/index.m3u8", text: list)
            let clear = try await site.server.store.intake.add(
                AssetRequest(url: origin.url("/clear/index.m3u8")))
            #expect(try await site.get(Self.path(clear.token)).object["state"] as? String == "none")
            #expect(try await site.post(Self.path(clear.token), "{}").status == 409)
            #expect(try await site.get("/api/v1/assets/00000000000000000000000000/license").status == 404)
        }
    }

    @Test(
        "whose keys were added is renewed by adding a key after a revocation, as the refusals say"
    )
    func givenKeys() async throws {
        try await withDownload { site, _, origin in
            origin.serve("/clear/0.ts", bytes: SampleStream.clearVideo(0))
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n"
            origin.serve("/clear/index.m3u8", text: list)
            let request = AssetRequest(url: origin.url("/clear/index.m3u8"))
            let token = try await site.server.store.intake.add(request).token
            await site.server.store.untilSettled(token)
            let keys = "/api/v1/assets/\(token)/keys"
            let key = #"{"key": "aabbccddaabbccddaabbccddaabbccdd:0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#
            #expect(try await site.post(keys, key).status == 200)
            _ = try await site.request("DELETE", Self.path(token))
            let renewal = try await site.post(Self.path(token), "{}")
            #expect(renewal.status == 409 && renewal.text.contains("`addKey(_:identifier:to:)`"))
            let refusal = try await site.get("/assets/\(token)/master.m3u8")
            #expect(refusal.status == 403 && refusal.text.contains("`addKey(_:identifier:to:)`"))
            #expect(try await site.post(keys, key).status == 200)
            #expect(try await site.get(Self.path(token)).object["state"] as? String == "valid")
            #expect(try await site.get("/assets/\(token)/master.m3u8").status == 200)
        }
    }

    @Test("commands show it, renew it and revoke it, also while a server runs")
    func commands() async throws {
        let origin = try OriginServer()
        let program = try Program()
        let url = SampleStream().publish(on: origin)
        let made = try await program.run("download", url, "--json", "--rental", "30d", "--play-window", "48h")
        let token = try #require(made.lines.first.map { Outcome.object($0) }?["token"] as? String)
        let shown = try await program.run("license", "show", token)
        #expect(shown.output.contains("rental of 30d, to be played within 2d of its first play"))
        try await program.serving { _ in
            let renewed = try await program.run("license", "renew", token, "--purchase", "--json")
            #expect(renewed.object["expires_at"] as? String == "never")
            #expect(try await program.run("license", "revoke", token, "--json").status == 0)
        }
        let playable = try await program.run("playable", token, "--json")
        #expect(playable.status == 2)
        #expect(playable.object["blocked_by"] as? [String] == ["license-revoked"])
        #expect(try await program.run("license", "renew", token, "--audio", "de").status == 64)
        #expect(try await program.run("license", "renew", token, "--rental", "soon").status == 64)
        #expect(try await program.run("license", "renew", token).status == 0)
        origin.stop()
        let offline = try await program.run("license", "renew", token)
        #expect(offline.status == 1)
        #expect(try await program.run("playable", token).status == 0)
    }
}

/// A clock that stands still until a test lets time pass.
final class SteppedClock: WallClock {
    private let seconds = Lock<Int64>(1_700_000_000)

    var now: Timestamp { Timestamp(milliseconds: uptime) }
    var uptime: Int64 { seconds.withLock { $0 * 1000 } }

    func pass(_ count: Int64) { seconds.withLock { $0 += count } }
}
