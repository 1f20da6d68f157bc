import Foundation
import ModelTestSupport
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

/// Credentials on their way to several hosts, and fresh ones.
@Suite(.timeLimit(.minutes(2)))
struct CredentialTests {
    private static let bearer = "Bearer 5ecret-old"
    private static let fresh = "Bearer 5ecret-new"

    /// A stream whose playlist is on one host, with segments, keys and subtitles on another one.
    private func serve(_ fixture: StoreFixture, _ cdn: OriginServer) {
        let origin = fixture.origin
        for number in 0..<2 {
            let clear = Media.ts(10, seed: UInt64(number))
            cdn.serve(
                "/s\(number).ts", bytes: SampleMedia.encrypted(clear, key: Array(0..<16), number: number))
        }
        origin.fault("/hop.ts", .redirect(to: cdn.url("/s1.ts")))
        cdn.serve("/k", bytes: Array(0..<16))
        cdn.serveSubtitles("/sub")
        origin.serve(
            "/v.m3u8",
            text: Playlists.media(
                [cdn.url("/s0.ts"), "hop.ts"], tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(cdn.url("/k"))\"\n"))
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", cdn.url("/sub/index.m3u8")),
                Playlists.variant("v.m3u8", 900_000, "SUBTITLES=\"s\"")))
    }

    @Test(
        "Authorization goes to the stream's own host only, also when that redirects, and other fields to all")
    func ownHost() async throws {
        let cdn = try OriginServer()
        try await StoreFixture.run { fixture async throws in
            serve(fixture, cdn)
            let asset = try await fixture.download("/master.m3u8") {
                $0.access.headers = [["Authorization", Self.bearer], ["X-Stream", "yes"]]
            }
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(fixture.origin.requests.allSatisfy { $0.header("Authorization") == Self.bearer })
            #expect(!cdn.requests.isEmpty)
            #expect(cdn.requests.allSatisfy { $0.header("Authorization") == nil })
            #expect(cdn.requests.allSatisfy { $0.header("X-Stream") == "yes" })
        }
    }

    @Test("a field for other hosts reaches keys, segments, subtitles and the targets of redirects")
    func otherHosts() async throws {
        let cdn = try OriginServer()
        cdn.fault("*", .require(header: "Authorization", value: Self.fresh))
        try await StoreFixture.run { fixture async throws in
            serve(fixture, cdn)
            let asset = try await fixture.download("/master.m3u8") {
                $0.access.headers = [["Authorization", Self.bearer]]
                $0.access.hostHeaders = [
                    HostHeader(hosts: "127.0.0.1:\(cdn.port)", name: "Authorization", value: Self.fresh)
                ]
            }
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(asset.renditions.allSatisfy { $0.isComplete })
            #expect(fixture.origin.requests.allSatisfy { $0.header("Authorization") == Self.bearer })
            #expect(try fixture.filesContaining(Array("5ecret-new".utf8)).isEmpty)
        }
    }

    /// A stream that refuses the old token after its second segment.
    private func expire(_ fixture: StoreFixture) async throws -> (AssetToken, [[UInt8]]) {
        let media = fixture.origin.serveStream("/v", count: 4)
        for number in 2..<4 {
            fixture.origin.fault("/v/s\(number).ts", .require(header: "Authorization", value: Self.fresh))
        }
        let asset = try await fixture.download("/v/index.m3u8") {
            $0.access.headers = [["Authorization", Self.bearer], ["X-Kept", "yes"]]
        }
        #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
        let advice = asset.failure?.message ?? ""
        #expect(advice.contains("`relink(_:to:)` takes a fresh URL, and headers"))
        fixture.origin.forgetRequests()
        return (asset.token, media)
    }

    private func check(_ fixture: StoreFixture, _ token: AssetToken, _ media: [[UInt8]]) async throws {
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
        for (number, bytes) in media.enumerated() {
            #expect(try fixture.stored(token, "video/\(number).ts") == bytes)
        }
        #expect(fixture.origin.requests(for: "/v/s2.ts").first?.header("X-Kept") == "yes")
        #expect(fixture.origin.requests(for: "/v/s0.ts").allSatisfy { $0.header("Range") != nil })
    }

    @Test("with a fresh token, relink continues a download whose token has expired")
    func relink() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (token, media) = try await expire(fixture)
            var edit = AccessEdit()
            edit.headers = [["Authorization", Self.fresh]]
            try await fixture.store.relink(token, to: fixture.origin.url("/v/index.m3u8"), edit)
            try await check(fixture, token, media)
        }
    }

    @Test("a change of the header fields continues a download whose token has expired")
    func change() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (token, media) = try await expire(fixture)
            var edit = AccessEdit()
            edit.headers = [["Authorization", Self.fresh]]
            try await fixture.store.changeAccess(of: token, edit)
            try await check(fixture, token, media)
        }
    }

    @Test("a stream that was refused before its playlists were read continues with fresh header fields")
    func unresolved() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("*", .require(header: "Authorization", value: Self.fresh))
            let enqueued = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")])
            let token = try #require(enqueued.tokens.first)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .failed)
            var edit = AccessEdit()
            edit.headers = [["Authorization", Self.fresh]]
            try await fixture.store.changeAccess(of: token, edit)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("a license is renewed with fresh header fields, which stay; without them the old ones stay")
    func renewal() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/v/s0.ts", bytes: OriginResource.pattern(320))
            fixture.origin.serve("/v/k", bytes: Array(0..<16))
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts"], tags: tags))
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.fault("/v/k", .require(header: "Authorization", value: Self.fresh))
            let refusal = await failure { try await fixture.store.renewLicense(of: token) }
            #expect(refusal?.errorClass == .key)
            let advice = refusal?.message ?? ""
            #expect(advice.contains("`renewLicense(of:)` takes headers, cookies and a fresh URL"))
            #expect(!advice.contains("allowsMissingKeys"), "a renewal has no such option")
            var edit = AccessEdit()
            edit.headers = [["Authorization", Self.fresh]]
            try await fixture.store.renewLicense(of: token, nil, via: nil, edit)
            try await fixture.store.renewLicense(of: token)
        }
    }
}
