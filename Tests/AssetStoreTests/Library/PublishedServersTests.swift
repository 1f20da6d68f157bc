import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("The servers of an engine", .timeLimit(.minutes(1)))
struct PublishedServersTests {
    @Test("are published with the demand for a token and the storage policy, the latest one alone")
    func latest() async throws {
        let policy = try JSONText.decode(StoragePolicy.self, #"{"quota": 5000000000}"#)
        try await StoreFixture.run {
            $0.storage = policy
        } _: { fixture async throws in
            let servers = fixture.store.servers
            func engine() throws -> EngineAddress {
                try #require(StoreLock.holder(fixture.store.paths.lock))
            }
            #expect(try engine().url == nil)
            try servers.publishPolicy()
            #expect(try engine().url == nil)
            try servers.publish(url: "http://127.0.0.1:1234", port: 1234)
            #expect(try engine().url == "http://127.0.0.1:1234")
            #expect(try engine().requiresToken == false && engine().storage == policy)
            try servers.publish(url: "http://127.0.0.1:1235", port: 1235, requiresToken: true)
            #expect(try engine().url == "http://127.0.0.1:1235")
            #expect(try engine().requiresToken == true)
            try servers.publishPolicy()
            #expect(try engine().requiresToken == true)
            try servers.withdraw(port: 1234)
            #expect(try engine().url == "http://127.0.0.1:1235")
            #expect(try engine().requiresToken == true)
            try servers.withdraw(port: 1235)
            #expect(try engine().url == nil)
            #expect(try engine().requiresToken == false && engine().storage == policy)
        }
    }

    @Test("are no origins for the engine while they are published")
    func origins() async throws {
        try await StoreFixture.run { fixture async throws in
            let servers = fixture.store.servers
            fixture.origin.serveStream("/v", count: 1)
            try servers.publish(url: fixture.origin.url(""), port: fixture.origin.port)
            #expect(await fixture.refusal("/v/index.m3u8") != nil)
            #expect(fixture.origin.requests.isEmpty)
            try servers.withdraw(port: fixture.origin.port)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }
}
