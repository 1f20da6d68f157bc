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

/// Streams whose addresses expire.
@Suite(.timeLimit(.minutes(2)))
struct RelinkTests {
    /// A stream at `/old` whose segments are refused after the first two, and the same one at `/new`.
    private func serve(_ fixture: StoreFixture) -> [[UInt8]] {
        let media = fixture.origin.serveStream("/old", count: 4)
        fixture.origin.serveStream("/new", count: 4)
        for number in 2..<4 { fixture.origin.fault("/old/s\(number).ts", .status(403)) }
        return media
    }

    private func check(_ fixture: StoreFixture, _ token: AssetToken, _ media: [[UInt8]]) throws {
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete && asset.availability.offline)
        for (number, bytes) in media.enumerated() {
            #expect(try fixture.stored(token, "\(asset.renditions[0].name)/\(number).ts") == bytes)
        }
        #expect(
            fixture.origin.paths.filter { $0.hasPrefix("/new/s") }.sorted() == ["/new/s2.ts", "/new/s3.ts"])
    }

    @Test("a fresh address brings missing media, and stored media are not fetched again")
    func relink() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let media = serve(fixture)
            let failed = try await fixture.download("/old/index.m3u8")
            #expect(failed.state == .failed && failed.failure?.errorClass == "auth")
            try await fixture.store.relink(failed.token, to: fixture.origin.url("/new/index.m3u8?secret=1"))
            await fixture.store.untilSettled(failed.token)
            try check(fixture, failed.token, media)
            let asset = try fixture.store.reader.requireAsset(failed.token)
            #expect(asset.sourceURL == fixture.origin.url("/new/index.m3u8"))
        }
    }

    @Test("a segment that is lost after a fresh address for a complete asset comes from there")
    func relinkedBeforeLoss() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/old", count: 4)
            fixture.origin.serveStream("/new", count: 4)
            let token = try await fixture.download("/old/index.m3u8").token
            try await fixture.store.relink(token, to: fixture.origin.url("/new/index.m3u8"))
            for path in ["index.m3u8", "s2.ts"] { fixture.origin.fault("/old/\(path)", .status(404)) }
            let name = try fixture.store.reader.requireAsset(token).renditions[0].name
            try FileManager.default.removeItem(atPath: fixture.path(token, "\(name)/2.ts").string)
            _ = try await fixture.store.repairer.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.stored(token, "\(name)/2.ts") == media[2])
        }
    }

    @Test("if the playlist has fresh addresses, no link resolver is needed")
    func signedAnew() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let media = serve(fixture)
            fixture.origin.fault("/old/s0.ts", .stall(after: 100), times: 1)
            let token = try await fixture.add("/old/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            fixture.origin.serve(
                "/old/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts", "/new/s2.ts", "/new/s3.ts"]))
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            try check(fixture, token, media)
        }
    }

    @Test("when the playlist sets a fresh cookie, segments that want it come with one more read")
    func cookiesAnew() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 4)
            for number in 0..<4 {
                let cookie = "pass=\(number < 2 ? 1 : 2)"
                fixture.origin.fault("/v/s\(number).ts", .requireCookie(cookie))
            }
            fixture.origin.fault("/v/index.m3u8", .header("Set-Cookie: pass=1; Path=/"), times: 1)
            fixture.origin.fault("/v/s0.ts", .stall(after: 100), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            fixture.origin.fault("/v/index.m3u8", .header("Set-Cookie: pass=2; Path=/"))
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            for (number, bytes) in media.enumerated() {
                #expect(try fixture.stored(token, "video/\(number).ts") == bytes)
            }
            #expect(fixture.origin.requests(for: "/v/index.m3u8").count == 2)
            #expect(fixture.origin.requests(for: "/v/s2.ts").count == 2)
        }
    }

    @Test("a playlist that names the same addresses as before is read again once")
    func signedAlike() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            _ = serve(fixture)
            let failed = try await fixture.download("/old/index.m3u8")
            #expect(failed.state == .failed && failed.failure?.errorClass == "auth")
            #expect(fixture.origin.requests(for: "/old/index.m3u8").count == 2)
            #expect(fixture.origin.requests(for: "/old/s2.ts").count == 1)
        }
    }

    @Test("an asset of an earlier version that lacks a section of gaps can be relinked")
    func sectionOfGap() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let gap = "#EXT-X-MAP:URI=\"gap.mp4\"\n#EXT-X-GAP\ns2.m4s"
            let text = Playlists.media(["s0.m4s", "s1.m4s", gap], tags: "#EXT-X-MAP:URI=\"i.mp4\"\n")
            for folder in ["/old", "/new"] {
                for number in 0..<2 {
                    let bytes = Media.fragment(UInt64(number + 1))
                    fixture.origin.serve("\(folder)/s\(number).m4s", bytes: bytes)
                }
                fixture.origin.serve("\(folder)/i.mp4", bytes: Media.initialization())
                fixture.origin.serve("\(folder)/gap.mp4", bytes: Media.initialization(2))
                fixture.origin.serve("\(folder)/index.m3u8", text: text)
            }
            fixture.origin.fault("/old/s1.m4s", .status(403))
            let token = try await fixture.download("/old/index.m3u8").token
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "video"))
            let section = UnitRecord(
                kind: .initialization, number: 1, start: 0, duration: 0,
                url: fixture.origin.url("/old/gap.mp4"))
            try fixture.store.catalog.write(.store) { try RenditionTable.insert([section], of: row.id, $0) }
            try await fixture.store.relink(token, to: fixture.origin.url("/new/index.m3u8"))
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(fixture.origin.requests(for: "/old/gap.mp4").isEmpty)
        }
    }

    @Test("another stream is refused, and nothing is changed")
    func anotherStream() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            _ = serve(fixture)
            fixture.origin.serveStream("/other", count: 3)
            let failed = try await fixture.download("/old/index.m3u8")
            let error = await failure {
                try await fixture.store.relink(failed.token, to: fixture.origin.url("/other/index.m3u8"))
            }
            #expect(error?.text == #"notSameStream("video")"#)
            let asset = try fixture.store.reader.requireAsset(failed.token)
            #expect(asset.state == .failed && asset.sourceURL == failed.sourceURL)
        }
    }

    @Test("another stream with segments of the same numbers is refused, also while nothing is missing")
    func otherLengths() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/old", count: 2)
            fixture.origin.serveStream("/other", count: 2)
            fixture.origin.serve("/other/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"], seconds: 10))
            let asset = try await fixture.download("/old/index.m3u8")
            let error = await failure {
                try await fixture.store.relink(asset.token, to: fixture.origin.url("/other/index.m3u8"))
            }
            #expect(error?.text == #"notSameStream("video")"#)
        }
    }

    @Test(
        "a complete asset takes an address of the same stream alone, told by its segments and how many there are"
    )
    func complete() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/old", count: 2)
            fixture.origin.serveStream("/same", count: 2)
            fixture.origin.serveStream("/bytes", count: 2, seed: 7)
            fixture.origin.serveStream("/longer", count: 3)
            fixture.origin.serveStream("/dead", count: 2)
            for number in 0..<2 { fixture.origin.fault("/dead/s\(number).ts", .status(403)) }
            let asset = try await fixture.download("/old/index.m3u8")
            for other in ["bytes", "longer"] {
                let error = await failure {
                    try await fixture.store.relink(
                        asset.token, to: fixture.origin.url("/\(other)/index.m3u8"))
                }
                #expect(error?.text == #"notSameStream("video")"#, "\(other)")
                let now = try fixture.store.reader.requireAsset(asset.token)
                #expect(now.sourceURL == asset.sourceURL && now.state == .complete)
            }
            for (place, isCompared) in [("same", true), ("dead", false)] {
                let url = fixture.origin.url("/\(place)/index.m3u8")
                #expect(try await fixture.store.relink(asset.token, to: url) == isCompared)
                #expect(try fixture.store.reader.requireAsset(asset.token).sourceURL == url)
            }
        }
    }

    @Test("an asset whose variant would no longer be chosen takes a fresh address and tracks like any other")
    func chosenOnce() async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["/v", "/other", "/en"] { fixture.origin.serveStream(name, count: 3) }
            fixture.origin.fault("/v/s2.ts", .status(403), times: 1)
            let audio = Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "AUTOSELECT=NO")
            let variants = [
                Playlists.variant("v/index.m3u8", 300_000, #"RESOLUTION=320x180,AUDIO="a""#),
                Playlists.variant("other/index.m3u8", 900_000, #"AUDIO="a""#),
            ]
            fixture.origin.serve("/m.m3u8", text: Playlists.master(audio, variants[0], variants[1]))
            let token = try await fixture.download("/m.m3u8") { $0.selection.audio = .none }.token
            var selection = Selection()
            (selection.maximumBitrate, selection.audio) = (1_000_000, .none)
            let text = try JSONText.encode(selection)
            try fixture.store.catalog.write(.store) {
                try $0.execute("UPDATE asset SET selection = '\(text)'")
            }
            try await fixture.store.relink(token, to: fixture.origin.url("/m.m3u8?fresh"))
            var wish = Selection()
            wish.audio = .all
            #expect(try await fixture.store.addTracks(wish, to: token).names == ["audio-en"])
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete)
            #expect(asset.renditions.map(\.name) == ["video-180p", "audio-en"])
        }
    }

    @Test("a caller that waits for a download waits on while it gets a fresh address")
    func waiting() async throws {
        try await StoreFixture.run { fixture async throws in
            _ = fixture.origin.serveStream("/old", count: 2)
            _ = fixture.origin.serveStream("/new", count: 2)
            fixture.origin.fault("/old/s1.ts", .holdHeader)
            let token = try await fixture.add("/old/index.m3u8")
            try await eventually { fixture.origin.requests(for: "/old/s1.ts").count == 1 }
            let waiter = Task {
                await fixture.store.untilSettled(token)
                return try fixture.store.reader.requireAsset(token).state
            }
            try await eventually { try fixture.units(token, "video")[0].state == .stored }
            try await fixture.store.relink(token, to: fixture.origin.url("/new/index.m3u8"))
            #expect(try await waiter.value == .complete)
        }
    }

    @Test(
        "an origin that refuses is not the end when the link resolver knows a fresh address",
        arguments: [true, false])
    func resolver(_ answersJSON: Bool) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let address = origin.url("/new/index.m3u8")
        let answer = answersJSON ? #"{\"url\": \"\#(address)\"}"# : address
        let notes = folder.file("notes")
        let settings =
            #"{"link_resolver": {"command": ["sh", "-c", "cat >> \#(notes); printf '%s' '\#(answer)'"]}}"#
        try folder.write(Array(settings.utf8), to: "store/config.json")
        let fixture = try StoreFixture(in: folder, origin: origin) { $0.transfersPerAsset = 1 }
        let media = serve(fixture)
        let token = try await fixture.add("/old/index.m3u8") { $0.meta = ["id": "7"] }
        await fixture.store.untilSettled(token)
        try check(fixture, token, media)
        let question = String(decoding: try folder.read("notes"), as: UTF8.self)
        #expect(question.contains(token.description) && question.contains(#""id":"7""#))
        await fixture.store.stop()
    }

    @Test(
        "a link resolver that does not help is asked once; then the download fails with the origin's reason")
    func uselessResolver() async throws {
        try await unhelped { fixture in _ = serve(fixture) }
    }

    @Test("segments that are broken at each address do not cause requests for more addresses")
    func brokenWithEach() async throws {
        try await unhelped { fixture in
            fixture.origin.serveStream("/old", count: 2)
            fixture.origin.serve("/old/s0.ts", text: "<!DOCTYPE html><p>Sorry</p>", contentType: "video/mp2t")
            fixture.origin.fault("/old/s1.ts", .status(403))
        }
    }

    @Test(
        "a segment that takes longer than its addresses are valid is fetched in parts, each with a fresh address"
    )
    func longSegment() async throws {
        let media = Media.ts(10)
        try await withExpiring(media, []) { fixture, token throws in
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.stored(token, "video/0.ts") == media)
            #expect(fixture.origin.requests(for: "/v2/s0.ts").first?.header("Range") == "bytes=1200-")
        }
    }

    @Test("a segment that starts over at each address does not cause requests for more addresses")
    func fromTheBeginning() async throws {
        try await withExpiring(Media.ts(10), [.changingETag]) { fixture, token throws in
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
            #expect(fixture.origin.requests(for: "/v2/index.m3u8").isEmpty)
        }
    }

    /// Downloads a stream of one segment, whose first two addresses expire when some of it has come.
    private func withExpiring(
        _ media: [UInt8], _ faults: [OriginFault],
        _ body: (StoreFixture, AssetToken) throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let asked = folder.file("asked")
        let answer = "echo >> '\(asked)'; echo '\(origin.url("/v"))'$(wc -l < '\(asked)')/index.m3u8"
        let settings = #"{"link_resolver": {"command": ["sh", "-c", "\#(answer)"]}}"#
        try folder.write(Array(settings.utf8), to: "store/config.json")
        for number in 0..<3 {
            origin.serve("/v\(number)/s0.ts", bytes: media)
            origin.serve("/v\(number)/index.m3u8", text: Playlists.media(["s0.ts"]))
        }
        let places = ["/v0/s0.ts", "/v1/s0.ts"]
        for place in places {
            for fault in faults { origin.fault(place, fault) }
            origin.fault(place, .stall(after: 300), times: 1)
            origin.fault(place, .truncate(after: 600), times: 1)
        }
        let fixture = try StoreFixture(in: folder, origin: origin)
        let token = try await fixture.add("/v0/index.m3u8")
        for place in places {
            try await eventually { !origin.requests(for: place).isEmpty }
            origin.fault(place, .status(403))
            origin.release()
        }
        await fixture.store.untilSettled(token)
        try body(fixture, token)
        await fixture.store.stop()
    }

    /// Downloads a stream with refused resources; the link resolver knows no other address.
    private func unhelped(_ prepare: (StoreFixture) -> Void) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let address = origin.url("/old/index.m3u8")
        let settings = #"{"link_resolver": {"command": ["echo", "\#(address)"]}}"#
        try folder.write(Array(settings.utf8), to: "store/config.json")
        let fixture = try StoreFixture(in: folder, origin: origin) { $0.transfersPerAsset = 1 }
        prepare(fixture)
        let asset = try await fixture.download("/old/index.m3u8")
        #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
        #expect(origin.requests(for: "/old/index.m3u8").count == 2)
        await fixture.store.stop()
    }
}
