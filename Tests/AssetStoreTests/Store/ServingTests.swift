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
@testable import StoreReading

/// A server's view of an asset's units, also while they arrive.
struct ServingTests {
    private func text(_ answer: UnitAnswer) -> String {
        switch answer {
        case .stored(let file): "stored \(file.size)"
        case .absent(let unit): "absent \(unit.state.rawValue)"
        case .unknown: "unknown"
        }
    }

    @Test("a stored unit is answered with its file, its size and a validator of its bytes")
    func stored() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let answer = try fixture.store.reader.media.unit(
                token, "video", named: .segment(1), extension: "ts")
            guard case .stored(let file) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(try DurableWrite.read(file.path) == segments[1])
            #expect(file.size == UInt64(segments[1].count))
            let hash = try FilePieces.sha256(of: file.path)
            #expect(file.entityTag == hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }

    @Test("an assumed bit rate is not shown until stored media give one; players always get one")
    func bandwidth() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 2)
            let request = fixture.request("/v/index.m3u8")
            let token = try await fixture.store.intake.add(request, isHeld: true).token
            let early = try fixture.store.reader.requireAsset(token)
            #expect(early.renditions.map(\.bandwidth) == [nil])
            #expect(try fixture.master(token).contains("BANDWIDTH=2000000\nvideo/media.m3u8"))
            await fixture.store.intake.release([token])
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            let bits = segments.reduce(0) { $0 + $1.count } * 8
            #expect(asset.renditions.map(\.bandwidth) == [bits / Int(asset.duration)])
            #expect(try !fixture.master(token).contains("BANDWIDTH=2000000"))
        }
    }

    @Test("a unit that will never exist is unknown: other numbers, other extensions, other renditions, gaps")
    func unknown() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            let text = Playlists.media(["s0.ts", "s1.ts"]).replacing(
                "#EXTINF:4,\ns1.ts", with: "#EXT-X-GAP\n#EXTINF:4,\ns1.ts")
            fixture.origin.serve("/v/index.m3u8", text: text)
            let token = try await fixture.download("/v/index.m3u8").token
            let reader = fixture.store.reader
            #expect(
                self.text(try reader.media.unit(token, "video", named: .segment(2), extension: "ts"))
                    == "unknown")
            #expect(
                self.text(try reader.media.unit(token, "video", named: .segment(1), extension: "ts"))
                    == "unknown")
            #expect(
                self.text(try reader.media.unit(token, "video", named: .segment(0), extension: "m4s"))
                    == "unknown")
            #expect(
                self.text(try reader.media.unit(token, "video", named: .segment(-1), extension: "ts"))
                    == "unknown")
            #expect(
                self.text(try reader.media.unit(token, "audio", named: .segment(0), extension: "ts"))
                    == "unknown")
            #expect(
                self.text(try reader.media.unit(token, "video", named: .initialization(0), extension: "mp4"))
                    == "unknown")
            #expect(try reader.playlists.mediaPlaylist(token, "..") == nil)
        }
    }

    @Test("an arriving unit can be read as far as it has come, and to its end afterwards")
    func arriving() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .stall(after: 600))
            let token = try await fixture.add("/v/index.m3u8")
            let reader = fixture.store.reader
            let file = try #require(try await demand(token, from: fixture.store))
            await file.answered()
            let first = try await read(file, from: 0, until: 600)
            #expect(first == Array(segments[0].prefix(600)))
            #expect(file.length == UInt64(segments[0].count))
            #expect(!file.hasFailed)
            guard case .wait = try file.read(at: 600, count: 10) else {
                Issue.record("bytes that have not come")
                return
            }
            fixture.origin.release()
            let rest = try await read(file, from: 600, until: segments[0].count)
            #expect(first + rest == segments[0])
            await fixture.store.untilSettled(token)
            #expect(
                text(try reader.media.unit(token, "video", named: .segment(0), extension: "ts"))
                    == "stored \(segments[0].count)")
        }
    }

    /// The first segment, asked for as a player does.
    private func demand(_ token: AssetToken, from store: OfflineStore) async throws -> ArrivingFile? {
        guard
            case .absent(let unit) = try store.reader.media.unit(
                token, "video", named: .segment(0), extension: "ts")
        else { return nil }
        return await store.media.demand(unit)
    }

    private func read(_ file: ArrivingFile, from start: Int, until end: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while start + bytes.count < end {
            let offset = UInt64(start + bytes.count)
            switch try file.read(at: offset, count: end - start - bytes.count) {
            case .bytes(let more): bytes += more
            case .wait:
                await withCheckedContinuation { continuation in
                    file.whenGrown(beyond: offset) { continuation.resume() }
                }
            case .end, .failed: return bytes
            }
        }
        return bytes
    }

    @Test("a reader that waits for bytes of a failed transfer is told")
    func arrivalFails() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            let file = try #require(try await demand(token, from: fixture.store))
            async let waited: Void = withCheckedContinuation { continuation in
                file.whenGrown(beyond: 0) { continuation.resume() }
            }
            try await fixture.store.remove(token)
            await waited
            guard case .failed = try file.read(at: 0, count: 1) else {
                Issue.record("it did not fail")
                return
            }
        }
    }

    @Test("before its turn a unit is absent, with the state as the reason")
    func missing() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(
                text(try fixture.store.reader.media.unit(token, "video", named: .segment(0), extension: "ts"))
                    == "absent queued")
            #expect(try fixture.stored(token, "video/media.m3u8") != nil)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.progress == 0 && asset.availability.fromStartUntil == 0)
        }
    }

    @Test("preferred languages become the defaults for players")
    func languages() async throws {
        try await StoreFixture.run { fixture async throws in
            for folder in ["/v", "/en", "/de"] { fixture.origin.serveStream(folder, count: 1) }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, "AUDIO=\"a\"")))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.audio = .all }
            let lines = try fixture.master(asset.token, audio: "deu").split(separator: "\n")
            #expect(lines.count { $0.contains("DEFAULT=YES") } == 1)
            #expect(lines.contains { $0.contains("DEFAULT=YES") && $0.contains("LANGUAGE=\"de\"") })
        }
    }
}
