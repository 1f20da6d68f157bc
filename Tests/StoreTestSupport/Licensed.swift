import Foundation
package import ModelTestSupport
package import StoreModel
package import TestSupport
import Testing

@testable import AssetStore

/// A store with an encrypted asset, whose license ends by a clock that the test sets.
package final class Licensed: @unchecked Sendable {
    // `@unchecked`: one test uses it, from one task.
    package private(set) var fixture: StoreFixture
    package let clock: ManualClock
    package let token: AssetToken
    package static let key = Secret.key([UInt8](100..<116))

    private init(_ fixture: StoreFixture, _ clock: ManualClock, _ token: AssetToken) {
        (self.fixture, self.clock, self.token) = (fixture, clock, token)
    }

    package static func run(_ terms: LicenseTerms, _ body: (Licensed) async throws -> Void) async throws {
        let clock = ManualClock()
        let fixture = try StoreFixture { $0.clock = clock }
        serve(on: fixture.origin)
        let asset = try await fixture.download("/master.m3u8") { $0.license = terms }
        let licensed = Licensed(fixture, clock, asset.token)
        let result: Result<Void, any Error>
        do { result = .success(try await body(licensed)) } catch { result = .failure(error) }
        await licensed.fixture.store.stop()
        licensed.fixture.expectNoKeys()
        try result.get()
    }

    /// A stream with one key.
    package static func serve(on origin: OriginServer, key: [UInt8] = key) {
        origin.serve("/k.key", bytes: key)
        origin.serveStream("/video", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n", key: key)
        origin.serve("/master.m3u8", text: Playlists.master(Playlists.variant("video/index.m3u8", 1_000_000)))
    }

    /// Stops the engine and opens the store again.
    package func restart(reboots: Bool = false) async throws {
        await fixture.store.stop()
        if reboots { clock.reboot() }
        fixture = try StoreFixture(in: fixture.folder, origin: fixture.origin) { $0.clock = self.clock }
    }

    /// What asking for the key gives, in a word.
    package func key(_ id: String = "k0", of other: AssetToken? = nil) throws -> String {
        switch try fixture.store.keys.quickKey(other ?? token, id)
            ?? fixture.store.keys.key(other ?? token, id)
        {
        case .key(let bytes, _): bytes == Self.key ? "key" : "other"
        case .refused(let refusal): refusal.rawValue
        case .missing: "missing"
        case .unknown: "unknown"
        }
    }

    /// Puts other bytes in the place of what is sealed of the key.
    package func seal(_ bytes: [UInt8]) throws {
        try fixture.store.catalog.write(.store) { session in
            try session.execute("UPDATE content_key SET sealed = ?", [bytes])
        }
        fixture.store.keys.forget(token)
    }

    /// Why segments are kept back.
    package func refusalWhenIdle() throws -> LicenseRefusal? { try fixture.store.keys.refusalWhenIdle(token) }

    package func asset() throws -> Asset { try fixture.store.reader.requireAsset(token) }
    package func status() throws -> LicenseStatus { try asset().license }
}
