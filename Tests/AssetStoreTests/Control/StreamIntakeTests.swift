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
@testable import StorePlanning
@testable import StoreReading

@Suite("A request for an asset", .timeLimit(.minutes(2)))
struct StreamIntakeTests {
    private func terms(_ fixture: StoreFixture, _ token: AssetToken) throws -> LicenseTerms? {
        try fixture.store.catalog.licenses.license(of: token)?.terms
    }

    @Test("gives an asset with keys a license, also if its playlists are read later, and another asset none")
    func license() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Licensed.key)
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
            fixture.origin.serveStream("/v", count: 1, tags: tag, key: Licensed.key)
            fixture.origin.serveStream("/w", count: 1)
            let requests = ["/v/index.m3u8", "/w/index.m3u8"].map { path in
                var request = fixture.request(path)
                request.license = LicenseTerms(rental: 60)
                return request
            }
            let queued = try await fixture.store.intake.enqueue(requests).tokens
            for token in queued { await fixture.store.untilSettled(token) }
            #expect(try queued.map { try terms(fixture, $0) } == [LicenseTerms(rental: 60), nil])
            var added: [AssetToken] = []
            for request in requests { added.append(try await fixture.store.intake.add(request).token) }
            #expect(try added.map { try terms(fixture, $0) } == [LicenseTerms(rental: 60), nil])
        }
    }

    @Test("of the same client again gives the same asset, and one of the same address names the older asset")
    func again() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            var request = fixture.request("/v/index.m3u8")
            request.clientID = "one"
            let intake = fixture.store.intake
            let first = try await intake.add(request)
            #expect(!first.isRepeated && first.existing == nil)
            let second = try await intake.add(request)
            #expect(second.isRepeated && second.token == first.token)
            let third = try await intake.add(fixture.request("/v/index.m3u8"))
            #expect(!third.isRepeated && third.token != first.token && third.existing == first.token)
        }
    }

    @Test("that is held fetches no media before it is released")
    func held() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.store.intake.add(
                fixture.request("/v/index.m3u8"), isHeld: true
            ).token
            let other = try await fixture.store.intake.enqueue(
                [fixture.request("/w/index.m3u8")], isHeld: true)
            #expect(try fixture.store.reader.requireAsset(token).state == .queued)
            #expect(fixture.origin.mediaPaths.isEmpty && !fixture.origin.paths.contains("/w/index.m3u8"))
            let held = await fixture.store.engine.held
            #expect(held == Set([token] + other.tokens))
            await fixture.store.intake.release([token])
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("to a busy origin waits in the queue if it may, and names the reason", arguments: [429, 503])
    func busy(_ status: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(status))
            let added = try await fixture.store.intake.add(
                fixture.request("/v/index.m3u8"), isHeld: true, queuesWhenBusy: true)
            #expect(added.waitsFor?.text == "status(\(status), retryAfter: nil)")
            #expect(try fixture.store.catalog.queue.isUnresolved(added.token))
        }
    }

    @Test("to an origin that fails otherwise does not wait", arguments: [403, 404])
    func refused(_ status: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.fault("/v/index.m3u8", .status(status))
            let error = await failure {
                _ = try await fixture.store.intake.add(
                    fixture.request("/v/index.m3u8"), queuesWhenBusy: true)
            }
            #expect(error?.text == "status(\(status), retryAfter: nil)")
            #expect(try fixture.isEmpty)
        }
    }

    @Test("that is strict, or takes the playlists only, does not wait for a busy origin")
    func strict() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.fault("/v/index.m3u8", .status(503))
            for isStrict in [true, false] {
                var request = fixture.request("/v/index.m3u8")
                request.isStrict = isStrict
                request.isPreload = !isStrict
                let error = await failure {
                    _ = try await fixture.store.intake.add(request, queuesWhenBusy: true)
                }
                #expect(error?.text == "status(503, retryAfter: nil)")
            }
            #expect(try fixture.isEmpty)
        }
    }

    @Test("meets a busy origin with the answers 429 and 503 only")
    func statuses() {
        let busy = [428, 429, 430, 500, 502, 503, 504].filter {
            StoreError(.status($0, retryAfter: nil)).isOfBusyOrigin
        }
        #expect(busy == [429, 503])
        #expect(!StoreError(.vault).isOfBusyOrigin)
    }
}
