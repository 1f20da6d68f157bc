import Foundation
import Testing

@testable import APIDocuments
@testable import OfflineServerCommands

@Suite("A setting that a user types")
struct SettingArgumentTests {
    @Test(
        "has the value that the API takes",
        arguments: [
            ("max_downloads=1", "1"), ("transfers=64", "64"), ("limit_rate=500k", "500000"),
            ("limit_rate=none", "null"), ("limit_rate_per_host=0", "null"), ("metered_ok=true", "true"),
            ("metered_ok=false", "false"), ("schedule=always", #""always""#),
            ("metered_interfaces=none", "[]"), ("metered_interfaces=wwan*,ppp0", #"["wwan*","ppp0"]"#),
        ])
    func value(_ text: String, _ json: String) throws {
        let setting = try SettingArgument(text)
        #expect(setting.name == String(text.prefix { $0 != "=" }))
        let shown = setting.value.text.filter { $0 != " " }
        #expect(shown == json)
    }

    @Test(
        "is refused without a value, with another key, and with a value that it can't have",
        arguments: [
            "max_downloads", "max_downloads=", "max_downloads=0", "max_downloads=65", "transfers=x",
            "limit_rate=0.5", "metered_ok=yes", "schedule=x", "colour=red", "=1", "",
        ])
    func refused(_ text: String) {
        #expect(throws: (any Error).self) { try SettingArgument(text) }
    }

    @Test("is shown as it is typed")
    func shown() {
        #expect(SettingArgument.text(NSNumber(value: 1), of: "max_downloads") == "1")
        #expect(SettingArgument.text(true, of: "metered_ok") == "true")
        #expect(SettingArgument.text("always", of: "schedule") == "always")
        #expect(SettingArgument.text(["wwan*", "ppp0"], of: "metered_interfaces") == "wwan*,ppp0")
        #expect(SettingArgument.text([Any](), of: "metered_interfaces") == "none")
        #expect(SettingArgument.text(NSNull(), of: "limit_rate") == "none")
        #expect(SettingArgument.text(nil, of: "limit_rate") == "none")
    }
}
