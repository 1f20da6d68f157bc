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

/// Settings that are read again while the engine runs.
@Suite(.timeLimit(.minutes(2)))
struct ReloadTests {
    private func write(_ text: String, _ folder: TemporaryDirectory) throws {
        try folder.write(Array(text.utf8), to: "store/config.json")
    }

    @Test("changes apply at once; changes that need a restart, or are overruled, are named")
    func changed() async throws {
        let folder = try TemporaryDirectory()
        try write(#"{"limit_rate": 100, "schedule": "always"}"#, folder)
        let fixture = try StoreFixture(in: folder) { $0.rateLimitPerHost = 9 }
        await fixture.store.start()
        var policy = await fixture.store.policy
        policy.maximumDownloads = 5
        policy.mayUseMetered = true
        await fixture.store.adopt(policy)
        try write(
            #"""
            {"limit_rate": 200, "limit_rate_per_host": 10, "schedule": "22:00-06:00", "storage": {"quota": 1000},
             "metered_interfaces": ["wwan0"], "log_plays": false, "link_resolver": {"command": ["true"]},
             "key_providers": [{"name": "a", "hosts": ["h"], "url": "https://a"}]}
            """#, folder)
        let reload = try await fixture.store.settings.reload()
        #expect(
            reload.changed == [
                "limit_rate", "schedule", "metered_interfaces", "storage", "log_plays", "link_resolver",
            ])
        #expect(reload.overruled == ["limit_rate_per_host"] && reload.waiting == ["key_providers"])
        let now = await fixture.store.policy
        #expect(
            now.rateLimit == 200 && now.rateLimitPerHost == 9 && now.schedule.description == "22:00-06:00")
        #expect(now.maximumDownloads == 5 && now.mayUseMetered, "what nobody changed in the file stays")
        #expect(fixture.store.storagePolicy.quota == 1000)
        #expect(fixture.store.context.healing.links.resolver?.command == ["true"])
        #expect(try await fixture.store.settings.reload() == SettingsReload())
        await fixture.store.stop()
    }

    @Test("a file that can't be read changes nothing, and says why")
    func bad() async throws {
        let folder = try TemporaryDirectory()
        try write(#"{"limit_rate": 100}"#, folder)
        let fixture = try StoreFixture(in: folder)
        try write(#"{"limit_rat": 200}"#, folder)
        let error = await failure { _ = try await fixture.store.settings.reload() }
        #expect(
            error?.message.contains(#"line 1: unknown key "limit_rat"; did you mean "limit_rate"?"#) == true)
        #expect(await fixture.store.policy.rateLimit == 100)
        try write(#"{"limit_rate": 300}"#, folder)
        #expect(try await fixture.store.settings.reload().changed == ["limit_rate"])
        await fixture.store.stop()
    }

    @Test("hooks are called from the time at which they are in the settings, also if they were there before")
    func hooks() async throws {
        let folder = try TemporaryDirectory()
        let (one, two) = (folder.file("one"), folder.file("two"))
        func hook(_ file: String) -> String {
            #"{"on": ["complete"], "command": ["sh", "-c", "cat >> \#(file); echo >> \#(file)"]}"#
        }
        func lines(_ name: String) -> [Substring] {
            String(decoding: (try? folder.read(name)) ?? [], as: UTF8.self).split(separator: "\n")
        }
        try write(#"{"hooks": [\#(hook(one))]}"#, folder)
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serveStream("/v", count: 1)
        await fixture.store.start()
        let first = try await fixture.download("/v/index.m3u8").token
        try await eventually { lines("one").count == 1 }
        try write(#"{"hooks": [\#(hook(two))]}"#, folder)
        #expect(try await fixture.store.settings.reload().changed == ["hooks"])
        let second = try await fixture.download("/v/index.m3u8").token
        try await eventually { lines("two").count == 1 }
        try write(#"{"hooks": [\#(hook(one)), \#(hook(two))]}"#, folder)
        _ = try await fixture.store.settings.reload()
        let third = try await fixture.download("/v/index.m3u8").token
        try await eventually { lines("one").count == 2 && lines("two").count == 2 }
        #expect(zip(lines("one"), [first, third]).allSatisfy { $0.contains($1.description) })
        #expect(zip(lines("two"), [second, third]).allSatisfy { $0.contains($1.description) })
        await fixture.store.stop()
    }

    @Test("hooks that were taken out while no engine ran begin anew, and those that stayed miss nothing")
    func hooksBetweenRuns() async throws {
        let folder = try TemporaryDirectory()
        let notes = folder.file("notes")
        let settings =
            #"{"hooks": [{"on": ["complete"], "command": ["sh", "-c", "cat >> \#(notes); echo >> \#(notes)"]}]}"#
        func run(_ settings: String, starts: Bool = true) async throws -> AssetToken {
            try write(settings, folder)
            let fixture = try StoreFixture(in: folder)
            fixture.origin.serveStream("/v", count: 1)
            if starts { await fixture.store.start() }
            let token = try await fixture.download("/v/index.m3u8").token
            if starts, settings != "{}" {
                try await eventually {
                    String(decoding: (try? folder.read("notes")) ?? [], as: UTF8.self)
                        .contains(token.description)
                }
            }
            await fixture.store.stop()
            return token
        }
        let first = try await run(settings)
        let unheard = try await run(settings, starts: false)
        let second = try await run(settings)
        let missed = try await run("{}")
        let third = try await run(settings)
        let text = String(decoding: try folder.read("notes"), as: UTF8.self)
        for token in [first, unheard, second, third] { #expect(text.contains(token.description)) }
        #expect(!text.contains(missed.description))
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test("the last line of a program's standard error is in the error, with its name and the advice")
    func lastWords() async throws {
        let words = await ExternalCommand(
            words: ["sh", "-c", "echo first >&2; echo 'no license  left' >&2; echo >&2; exit 3"]
        ).run(input: [])
        #expect(words.status == 3 && words.lastWords == "no license  left")
        let silent = await ExternalCommand(words: ["false"]).run(input: [])
        #expect(silent.lastWords == nil)
        let much = await ExternalCommand(
            words: ["sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x >&2; echo; echo >&2; echo last >&2"]
        ).run(input: [])
        #expect(much.status == 0 && much.lastWords == "last" && much.output == [0x0A])
        // A child that stays behind and holds the pipe open is not waited for.
        let heir = await ExternalCommand(
            words: ["sh", "-c", "echo gone >&2; sleep 30 >/dev/null </dev/null & exit 1"]
        ).run(input: [])
        #expect(heir.lastWords == "gone")
        let error = StoreError(.service("the key provider acme", 3, said: "no license left"))
        #expect(
            error.message
                == "the key provider acme answered 3 and said \"no license left\"; check its entry in config.json, and try it by hand with the same input"
        )
    }
}
