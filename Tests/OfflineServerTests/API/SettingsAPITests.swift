import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The engine's settings", .fewAtOnce, .timeLimit(.minutes(2)))
struct SettingsAPITests {
    @Test("can be read and changed member by member; 0 removes a limit")
    func settings() async throws {
        try await withSite { site in
            let first = try await site.get("/api/v1/settings").object
            #expect(first["max_downloads"] as? Int == 3 && first["schedule"] as? String == "always")
            #expect(first["limit_rate"] is NSNull && first["metered_ok"] as? Bool == false)
            let changed = try await patch(site, #"{"limit_rate": 1000, "schedule": "22:00-06:00"}"#)
            #expect(changed.status == 200 && changed.object["limit_rate"] as? Int == 1000)
            let again = try await patch(site, #"{"limit_rate": 0, "max_downloads": 5, "metered_ok": true}"#)
            #expect(again.object["limit_rate"] is NSNull && again.object["max_downloads"] as? Int == 5)
            #expect(again.object["schedule"] as? String == "22:00-06:00")
            let more = try await patch(site, #"{"transfers": 4, "metered_interfaces": ["wwan*"]}"#).object
            #expect(more["transfers"] as? Int == 4 && more["metered_interfaces"] as? [String] == ["wwan*"])
            let policy = await site.server.store.policy
            #expect(policy.mayUseMetered && policy.rateLimit == nil)
            #expect(policy.transfersPerAsset == 4 && policy.meteredInterfaces == ["wwan*"])
        }
    }

    @Test("show hooks without their arguments, and don't let other machines change them")
    func hooks() async throws {
        let folder = try TemporaryDirectory()
        let settings =
            #"{"hooks": [{"on": ["complete"], "command": ["/opt/tell.sh", "secret"]}, {"url": "http://hooks.example/x?key=secret"}]}"#
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder.file("config.json")))
        try await withSite(in: folder) { site in
            let reply = try await site.get("/api/v1/settings")
            let hooks = try #require(reply.object["hooks"] as? [[String: Any]])
            #expect(hooks.map { $0["runs"] as? String } == ["tell.sh", "hooks.example"])
            #expect(hooks[0]["on"] as? [String] == ["complete"] && !reply.text.contains("secret"))
            #expect(try await patch(site, #"{"hooks": []}"#).status == 400)
        }
    }

    @Test("show the form of a schedule when one is refused")
    func malformed() async throws {
        try await withSite { site in
            let refused = try await patch(site, #"{"schedule": "25:00-26:00"}"#)
            #expect(refused.status == 400)
            #expect(
                refused.object["detail"] as? String
                    == "This text is no value for \"schedule\", which takes times of day, local, such as 22:00-06:00; or always."
            )
        }
    }

    @Test("take null for no limit, as answers do; members that are not named stay")
    func lifted() async throws {
        try await withSite { site in
            _ = try await patch(site, #"{"limit_rate": 1000, "limit_rate_per_host": 500}"#)
            let one = try await patch(site, #"{"limit_rate": null}"#).object
            #expect(one["limit_rate"] is NSNull && one["limit_rate_per_host"] as? Int == 500)
            let both = try await patch(site, #"{"limit_rate_per_host": null, "schedule": null}"#).object
            #expect(both["limit_rate_per_host"] is NSNull && both["schedule"] as? String == "always")
        }
    }

    @Test(
        "an unknown setting is refused and changes nothing",
        arguments: [
            #"{"max_downloads": 0}"#, #"{"max_downloads": 65}"#, #"{"limit_rate": -1}"#,
            #"{"transfers": 0}"#, #"{"transfers": 65}"#,
            #"{"schedule": "x"}"#,
            "[]",
        ])
    func refused(_ body: String) async throws {
        try await withSite { site in
            let reply = try await patch(site, body)
            #expect(reply.status == 400)
            #expect(await site.server.store.policy == EnginePolicy())
        }
    }

    @Test("an asset's terms of download are in its object, and can be changed")
    func terms() async throws {
        try await withSample { site, token in
            let body = #"{"limit_rate": 5000, "schedule": "01:00-05:00", "metered_ok": true, "priority": 2}"#
            let reply = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"],
                body: body)
            #expect(reply.object["limit_rate"] as? Int == 5000 && reply.object["priority"] as? Int == 2)
            #expect(reply.object["schedule"] as? String == "01:00-05:00")
            #expect(reply.object["metered_ok"] as? Bool == true)
            for (body, rate) in [(#"{"priority": 1}"#, 5000), (#"{"limit_rate": null}"#, nil)] {
                let reply = try await site.request(
                    "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"], body: body)
                #expect(reply.object["limit_rate"] as? Int == rate && reply.status == 200, "\(body)")
            }
        }
    }

    private func patch(_ site: Site, _ body: String) async throws -> Reply {
        try await site.request(
            "PATCH", "/api/v1/settings", ["Content-Type": "application/json"], body: body)
    }
}
