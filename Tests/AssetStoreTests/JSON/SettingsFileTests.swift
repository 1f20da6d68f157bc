import Foundation
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("config.json")
struct SettingsFileTests {
    /// The message about settings, without the folder.
    private func refusal(_ text: String) throws -> String? {
        let folder = try TemporaryDirectory()
        try folder.write(Array(text.utf8), to: "config.json")
        do throws(StoreError) {
            _ = try EngineSettings.read(FilePath(folder.file("config.json")))
            return nil
        } catch {
            return error.message.replacing("\(folder.path)/", with: "")
        }
    }

    @Test(
        "with an unknown key or an impossible value is refused; the error names line, key and expected value",
        arguments: [
            (
                "{\n  \"limit_rate\": 1,\n  \"storage\": {\n    \"qouta\": 5}}",
                #"config.json, line 4: unknown key "qouta" in "storage"; did you mean "quota"?"#
            ),
            (#"{"storag": {}}"#, #"config.json, line 1: unknown key "storag"; did you mean "storage"?"#),
            (
                "{\"hooks\": [\n{\"on\": [\"complete\"], \"comand\": [\"a\"]}]}",
                #"config.json, line 2: unknown key "comand" in "hooks"; did you mean "command"?"#
            ),
            (
                #"{"link_resolver": {"uri": "http://a"}}"#,
                #"config.json, line 1: unknown key "uri" in "link_resolver"; did you mean "url"?"#
            ),
            (
                #"{"key_providers": [{"name": "a", "hosts": ["a"], "url": "https://a", "answer": {"keys": "k"}}]}"#,
                #"config.json, line 1: unknown key "keys" in "answer"; did you mean "key"?"#
            ),
            (
                #"{"limit_rate": "4M"}"#,
                #"config.json, line 1: "4M" is no value for "limit_rate", which takes a whole number, 0 or more (bytes a second, all downloads together)"#
            ),
            (
                #"{"storage": {"quota": "much"}}"#,
                #"config.json, line 1: this text is no value for "quota", which takes a whole number, 0 or more, or a size such as "50G" (bytes of media that the store may hold)"#
            ),
            (
                #"{"schedule": "22-6"}"#,
                #"config.json, line 1: this text is no value for "schedule", which takes times of day such as 22:00-06:00, or always (when downloads may run, in local time)"#
            ),
            (
                #"{"hooks": [{"on": ["complete"]}]}"#,
                #"config.json, line 1: a hook names neither "command" nor "url""#
            ),
            (
                #"{"hooks": [{"url": "http://a", "command": ["b"]}]}"#,
                #"config.json, line 1: a hook names both; leave one out of "command" and "url""#
            ),
            (
                #"{"key_providers": [{"name": "a", "url": "https://a"}]}"#,
                #"config.json, line 1: the key provider "a" needs a rule: "formats", "schemes" or "hosts""#
            ),
            (
                #"{"key_providers": [{"name": "a", "hosts": ["h"], "key": "0011"}]}"#,
                #"config.json, line 1: the key provider "a" must not have the key itself in the settings; name a file, a credential or a variable"#
            ),
            (#"{"a": 1"#, "config.json, line 1: this is no JSON: a comma or a closing brace is missing"),
            (
                "{\n\"schedule\": \"always\",\n\"schedule\": \"always\"}",
                #"config.json, line 3: the key "schedule" is there twice; keep one"#
            ),
        ])
    func refused(_ text: String, _ sentence: String) throws {
        #expect(try refusal(text) == sentence)
    }

    @Test("names the events of hooks")
    func occasions() throws {
        let text = try #require(try refusal(#"{"hooks": [{"on": ["finished"], "command": ["a"]}]}"#))
        #expect(
            text.hasPrefix(
                #"config.json, line 1: "finished" is no value for "on/0", which takes one of "resolving""#))
        for name in ["complete", "failed", "added", "damaged"] { #expect(text.contains("\"\(name)\"")) }
    }

    @Test(
        "as README.md shows it is accepted",
        arguments: [
            "{}", "null-free: {}",
            #"{"storage": {"quota": "50G", "evict": ["expired", "watched"]}, "hooks": [{"on": ["complete", "failed"], "command": ["/usr/local/bin/tell-me"]}, {"on": ["removed"], "url": "http://127.0.0.1:9000/hook"}], "link_resolver": {"command": ["/usr/local/bin/fresh-link"]}, "limit_rate": 4000000, "schedule": "22:00-06:00", "metered_interfaces": ["wwan*", "usb0"]}"#,
            #"{"storage": {"quota": 5, "evict": ["all"]}, "limit_rate": null, "metered_ok": true}"#,
            #"{"key_providers": [{"name": "acme", "formats": ["f"], "content_id": "{host}", "certificate": "https://d/a.cer", "url": "https://k/v1/{content_id}", "method": "POST", "headers": {"Authorization": {"env": "T"}}, "body": "{}", "answer": {"key": "keys.0.k", "encoding": "base64", "renewal_date": "until"}}, {"name": "mine", "hosts": ["*.k"], "key": {"file": "/f"}}, {"name": "tool", "schemes": ["skd"], "command": ["/c"], "renew_after": 86400}]}"#,
        ])
    func taken(_ text: String) throws {
        #expect(try refusal(text.replacing("null-free: ", with: "")) == nil)
    }

    @Test("names programs that can't be started, with their purpose, at the start and in the checkup")
    func programs() async throws {
        let folder = try TemporaryDirectory()
        let settings = #"""
            {"hooks": [{"command": ["/no/such/hook"]}, {"command": ["sh"]}, {"url": "http://127.0.0.1:9/"}],
             "link_resolver": {"command": ["no-such-resolver", "-x"]},
             "key_providers": [{"name": "acme", "hosts": ["h"], "command": ["/etc/passwd"]}]}
            """#
        try folder.write(Array(settings.utf8), to: "config.json")
        let log = CollectedLog()
        let store = try OfflineStore(root: FilePath(folder.path), log: log.logger)
        await store.stop()
        let finding = StoreCheckup.run(FilePath(folder.path)).first { $0.check == "programs" }
        let told = [
            "a hook: there is no program /no/such/hook that can be started",
            "the link resolver: there is no program no-such-resolver that can be started",
            "the key provider acme: there is no program /etc/passwd that can be started",
        ]
        #expect(finding?.isFine == false)
        for sentence in told {
            #expect(log.text.contains(sentence))
            #expect(finding?.detail.contains("\(sentence); check its entry in config.json") == true)
        }
        #expect(finding?.detail.contains(" sh ") == false)
        try folder.write(Array("{}".utf8), to: "config.json")
        #expect(!StoreCheckup.run(FilePath(folder.path)).contains { $0.check == "programs" })
    }

    @Test(
        "names variables that are not set, and the part that needs them, at the start of an engine and in the checkup"
    )
    func unset() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            Array(
                #"{"key_providers": [{"name": "acme", "hosts": ["h"], "key": {"env": "OFFLINE_SERVER_NO_SUCH"}}]}"#
                    .utf8), to: "config.json")
        let root = FilePath(folder.path)
        let log = CollectedLog()
        let store = try OfflineStore(root: root, log: log.logger)
        let told = "the key provider acme: the settings name $OFFLINE_SERVER_NO_SUCH, which is not set"
        #expect(log.text.contains(told))
        let running = StoreCheckup.run(root).first { $0.check == "secrets" }
        #expect(running?.isFine == true && running?.detail.contains("the running server may have") == true)
        await store.stop()
        let finding = StoreCheckup.run(root).first { $0.check == "secrets" }
        #expect(finding?.isFine == false && finding?.detail.contains(told) == true)
    }
}
