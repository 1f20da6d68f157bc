import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("The policy of an engine", .timeLimit(.minutes(1)))
struct EnginePolicyTests {
    private let text = #"""
        {"max_downloads": 2, "transfers": 5, "limit_rate": 100, "limit_rate_per_host": 50,
         "schedule": "22:00-06:00", "metered_ok": true, "metered_interfaces": ["wwan0"]}
        """#

    @Test("is the usual one without any settings")
    func usual() {
        let policy = EnginePolicy(EngineSettings(), OfflineStore.Configuration())
        #expect(policy == EnginePolicy())
        #expect(policy.maximumDownloads == 3 && policy.transfersPerAsset == 16 && !policy.mayUseMetered)
    }

    @Test("is that of the store's file where the configuration says nothing")
    func settings() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array(text.utf8), to: "config.json")
        let policy = try EngineSettings.policy(in: FilePath(folder.path))
        #expect(policy.maximumDownloads == 2 && policy.transfersPerAsset == 5)
        #expect(policy.rateLimit == 100 && policy.rateLimitPerHost == 50 && policy.mayUseMetered)
        #expect(policy.schedule.description == "22:00-06:00" && policy.meteredInterfaces == ["wwan0"])
    }

    @Test("is that of the configuration where it says something")
    func given() throws {
        let settings = try JSONText.decode(EngineSettings.self, text)
        var given = OfflineStore.Configuration()
        (given.maximumDownloads, given.transfersPerAsset, given.mayUseMetered) = (7, 8, false)
        (given.rateLimit, given.rateLimitPerHost, given.schedule) = (9, 10, .always)
        let policy = EnginePolicy(settings, given)
        #expect(policy.maximumDownloads == 7 && policy.transfersPerAsset == 8)
        #expect(policy.rateLimit == 9 && policy.rateLimitPerHost == 10 && !policy.mayUseMetered)
        #expect(policy.schedule == .always && policy.meteredInterfaces == ["wwan0"])
    }

    @Test("follows the file at each reload, but for what waits for the next start")
    func reload() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("{}".utf8), to: "store/config.json")
        let fixture = try StoreFixture(in: folder)
        let more = #"""
            , "catalog": "postgresql://films@db.example/films", "node_url": "http://films-1.example:8090",
             "media": {"url": "s3://films/store", "endpoint": "https://s3.example"}}
            """#
        try folder.write(Array((text.dropLast() + more).utf8), to: "store/config.json")
        let reload = try await fixture.store.settings.reload()
        #expect(
            reload.changed == [
                "max_downloads", "transfers", "limit_rate", "limit_rate_per_host", "schedule", "metered_ok",
                "metered_interfaces",
            ])
        #expect(reload.waiting == ["media", "catalog", "node_url"] && reload.overruled == [])
        let policy = await fixture.store.policy
        #expect(policy.maximumDownloads == 2 && policy.transfersPerAsset == 5 && policy.mayUseMetered)
        #expect(policy.rateLimit == 100 && policy.rateLimitPerHost == 50)
        try folder.write(Array("{}".utf8), to: "store/config.json")
        _ = try await fixture.store.settings.reload()
        #expect(await fixture.store.policy == EnginePolicy())
        await fixture.store.stop()
    }

    @Test("stays as it was given at the start, whatever the file says later")
    func overruled() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try StoreFixture(in: folder) {
            ($0.maximumDownloads, $0.transfersPerAsset, $0.mayUseMetered) = (7, 8, false)
            ($0.rateLimit, $0.rateLimitPerHost, $0.schedule) = (9, 10, .always)
            $0.storage = StoragePolicy()
        }
        let before = await fixture.store.policy
        try folder.write(
            Array((text.dropLast() + #", "storage": {"quota": 1000}}"#).utf8), to: "store/config.json")
        let reload = try await fixture.store.settings.reload()
        #expect(
            reload.overruled == [
                "max_downloads", "transfers", "limit_rate", "limit_rate_per_host", "schedule", "metered_ok",
                "storage",
            ])
        #expect(reload.changed == ["metered_interfaces"] && reload.waiting == [])
        var wanted = before
        wanted.meteredInterfaces = ["wwan0"]
        #expect(await fixture.store.policy == wanted)
        #expect(fixture.store.storagePolicy == StoragePolicy())
        await fixture.store.stop()
    }
}
