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

/// Assets that are entered without a look at their streams, and looked into when their turn comes.
@Suite(.timeLimit(.minutes(3)))
struct EnqueueTests {
    private func enqueue(
        _ fixture: StoreFixture, _ paths: [String], _ change: (inout AssetRequest) -> Void = { _ in }
    ) async throws -> [AssetToken] {
        let requests = paths.map { path in
            var request = fixture.request(path)
            change(&request)
            return request
        }
        return try await fixture.store.intake.enqueue(requests).tokens
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.reader.progress(of: token)?.state
    }

    @Test("entered assets are downloaded in order, each with one event `added`")
    func order() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 1
        } _: { fixture async throws in
            for name in ["a", "b", "c"] { fixture.origin.serveStream("/\(name)", count: 2) }
            let tokens = try await enqueue(fixture, ["/a/index.m3u8", "/b/index.m3u8", "/c/index.m3u8"]) {
                $0.meta = ["k": "v"]
            }
            #expect(tokens == tokens.sorted() && Set(tokens).count == 3)
            for token in tokens { await fixture.store.untilSettled(token) }
            for token in tokens {
                let asset = try fixture.store.reader.requireAsset(token)
                #expect(asset.state == .complete && asset.availability.offline && asset.meta == ["k": "v"])
                #expect(try fixture.store.catalog.queue.request(of: token) == nil)
                let events = try fixture.store.catalog.events.all(after: 0, limit: 100).filter {
                    $0.token == token
                }
                #expect(events.filter { $0.kind == .added }.count == 1)
                #expect(
                    events.compactMap(\.state) == [.queued, .resolving, .queued, .downloading, .complete])
            }
            let media = fixture.origin.paths.filter { $0.hasSuffix(".ts") }.map { $0.prefix(2) }
            #expect(media == ["/a", "/a", "/b", "/b", "/c", "/c"])
        }
    }

    @Test("playlists, keys and segments without a name are asked for five times before a stream is given up")
    func patience() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = #"#EXT-X-KEY:METHOD=AES-128,URI="/k""#
            let secret = [UInt8](repeating: 7, count: 16)
            fixture.origin.serve("/k", bytes: secret)
            fixture.origin.serve("/v/0", bytes: Media.ts(10))
            fixture.origin.serve(
                "/v/1", bytes: SampleMedia.encrypted(Media.ts(10), key: secret, number: 1))
            let text =
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0\n\(key)\n#EXTINF:4,\n1\n#EXT-X-ENDLIST\n"
            fixture.origin.serve("/v/index.m3u8", text: text)
            for path in ["/k", "/v/0", "/v/index.m3u8"] { fixture.origin.fault(path, .status(503), times: 4) }
            let token = try await enqueue(fixture, ["/v/index.m3u8"])[0]
            await fixture.store.untilSettled(token)
            let asset = try #require(try fixture.store.reader.progress(of: token))
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
        }
    }

    @Test("a stream that can't be fetched fails with the reason, and resume tries it again")
    func failed() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await enqueue(fixture, ["/gone.m3u8?secret=1"])[0]
            await fixture.store.untilSettled(token)
            let asset = try #require(try fixture.store.reader.progress(of: token))
            #expect(asset.state == .failed && asset.reason == "http")
            #expect(asset.failure?.url == fixture.origin.url("/gone.m3u8"))
            #expect(!asset.availability.offline && asset.availability.blockedBy == [.notResolved])
            fixture.origin.serveStream("/v", count: 1)
            let isCompared = try await fixture.store.relink(token, to: fixture.origin.url("/v/index.m3u8"))
            #expect(isCompared, "nothing is stored that could be of another stream")
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("one bad address refuses all, and nothing is entered")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            let requests = [fixture.request("/v/index.m3u8"), AssetRequest(url: "ftp://host/x")]
            let error = await failure { _ = try await fixture.store.intake.enqueue(requests) }
            #expect(error?.text == #"invalidURL("ftp://host/x")"#)
            #expect(try fixture.isEmpty)
        }
    }

    @Test("only those whose turn is near are looked into, and a few of them at once")
    func nearTurns() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .stall(after: 10))
            let tokens = try await enqueue(fixture, Array(repeating: "/v/index.m3u8", count: 12))
            let near = 3 + ActiveWork.resolvedAhead
            while try tokens.filter({ try !fixture.store.reader.isUnresolved($0) }).count < near {
                try await Task.sleep(for: .milliseconds(5))
            }
            let far = try tokens.suffix(12 - near).filter { try fixture.store.reader.isUnresolved($0) }
            #expect(far.count == 12 - near)
            let outcome = try await fixture.store.perform(.pause, on: tokens)
            #expect(outcome.refused.isEmpty)
            let states = try tokens.map { try state(fixture, $0) }
            #expect(Set(states) == [.paused])
        }
    }

    @Test("pausing an asset that is being resolved stops that; resuming starts it again")
    func pauseWhileResolving() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .holdHeader, times: 1)
            let token = try await enqueue(fixture, ["/v/index.m3u8"])[0]
            #expect(await fixture.origin.waitForRequests(1))
            #expect(try state(fixture, token) == .resolving)
            try await fixture.store.perform(.pause, on: token)
            #expect(try state(fixture, token) == .paused)
            #expect(try fixture.store.reader.isUnresolved(token))
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test("an asset that is removed while it is looked into leaves nothing")
    func removedWhileResolving() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .holdHeader, times: 1)
            let token = try await enqueue(fixture, ["/v/index.m3u8"])[0]
            #expect(await fixture.origin.waitForRequests(1))
            try await fixture.store.remove(token)
            await fixture.store.untilDisposed()
            #expect(try fixture.isEmpty)
        }
    }

    @Test("entered assets survive an engine that is killed before or during resolving")
    func survives() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        origin.serveStream("/v", count: 2)
        let first = try StoreFixture(in: folder, origin: origin) { $0.maximumDownloads = 1 }
        origin.fault("/v/index.m3u8", .holdHeader, times: 4)
        let tokens = try await enqueue(first, Array(repeating: "/v/index.m3u8", count: 6)) {
            $0.access.headers = [["X-Own", "1"]]
        }
        #expect(await origin.waitForRequests(4))
        // The state of a killed engine: rows that name the work in progress.
        let states = try tokens.map { try state(first, $0) }
        #expect(states.filter { $0 == .resolving }.count == 4)
        await first.store.stop()
        origin.release()
        let second = try StoreFixture(in: folder, origin: origin)
        await second.store.start()
        for token in tokens {
            await second.store.untilSettled(token)
            #expect(try second.store.reader.requireAsset(token).availability.offline)
        }
        #expect(origin.requests.allSatisfy { $0.header("X-Own") == "1" })
        await second.store.stop()
    }

    @Test("the next ones of a list are those that never were in the store, as many as lack")
    func next() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let list = (1...6).map { fixture.request("/v/index.m3u8?episode=\($0)") }
            let alone = try await fixture.store.intake.add(list[1]).token
            let first = try await fixture.store.intake.enqueue(list, next: 3)
            #expect(first.ready == 3 && first.tokens.count == 2)
            for token in first.tokens + [alone] { await fixture.store.untilSettled(token) }
            #expect(try await fixture.store.intake.enqueue(list, next: 3).tokens.isEmpty)
            try await fixture.store.remove(first.tokens[0])
            let second = try await fixture.store.intake.enqueue(list, next: 3)
            #expect(second.ready == 3 && second.tokens.count == 1)
            let url = try fixture.store.catalog.assets.asset(try #require(second.tokens.first))?.sourceURL
            #expect(url?.hasSuffix("episode=4") == true)
            let rest = try await fixture.store.intake.enqueue(list, next: 9)
            #expect(rest.ready == 5 && rest.tokens.count == 2)
        }
    }

    @Test("of the present assets with one address, the newest is named")
    func existing() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            var tokens: [AssetToken] = []
            for _ in 0..<3 { tokens.append(try await fixture.add("/v/index.m3u8")) }
            for gone in [2, 0] {
                try await fixture.store.remove(tokens[gone])
                let again = try await fixture.store.intake.enqueue(
                    [fixture.request("/v/index.m3u8")], isHeld: true)
                #expect(again.existing.values.map(\.self) == [tokens[1]])
                try await fixture.store.remove(try #require(again.tokens.first))
            }
        }
    }

    @Test("a killed engine's half-read asset is queued again, an import that it was killed in is gone")
    func recovery() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = AssetToken("01ARYZ6S410000000000000000")
            let other = AssetToken("01ARYZ6S410000000000000001")
            let tokens = try [#require(token), #require(other)]
            let now = Timestamp(milliseconds: 1)
            for token in tokens {
                let record = AssetRecord(
                    token: token, name: "n", sourceURL: "http://127.0.0.1/", state: .resolving,
                    requestedAt: now)
                if token == tokens[0] {
                    _ = try fixture.store.catalog.queue.enqueue([NewAsset(record: record, request: [1])])
                } else {
                    try fixture.store.catalog.assets.insert(record)
                }
            }
            try fixture.store.catalog.queue.requeueInterrupted(at: now)
            let states = try tokens.map { try state(fixture, $0) }
            #expect(states == [.queued, .resolving])
            let refusal = await failure { try await fixture.store.perform(.pause, on: tokens[1]) }
            #expect(refusal?.text == #"wrongState(.resolving, wanted: "paused")"#)
        }
    }

    @Test("thousands are entered, paused, and removed, each in a few transactions, and leave nothing behind")
    func thousands() async throws {
        try await StoreFixture.run {
            $0.conditions.isOnline = { _ in false }
        } _: { fixture async throws in
            let tokens = try await enqueue(fixture, Array(repeating: "/v/index.m3u8", count: 3000))
            #expect(try fixture.store.catalog.assets.countsByState() == [.queued: 3000])
            let paused = try await fixture.store.perform(.pause, on: fixture.store.reader.tokens(for: .pause))
            #expect(paused.done.count == 3000 && paused.refused.isEmpty)
            let removed = try await fixture.store.perform(.remove, on: tokens)
            #expect(removed.done.count == 3000)
            #expect(try fixture.isEmpty)
            #expect(try fixture.store.catalog.storage.disposals().isEmpty)
            #expect(fixture.origin.requests.isEmpty)
        }
    }
}
