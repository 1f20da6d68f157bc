internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import Transfers

/// `settings`: when and how fast an engine downloads.
struct Settings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change when and how fast downloads run.",
        discussion: """
            Settings: \(SettingArgument.names). A running server applies a change at once, until it ends. Without a server, config.json \
            is changed for the next one. "none" lifts a limit.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "A setting and its value, such as max_downloads=2; without any, all are shown.",
            valueName: "key=value"),
        transform: SettingArgument.init)
    var changes: [SettingArgument] = []

    func run() async throws {
        let client = try await EngineClient.find(global.root)
        if changes.isEmpty {
            try show(try await policy(of: client))
        } else if let client {
            try show(try await client.change("settings", .patch(body: body.bytes)))
            global.note("this holds until the server ends; config.json is unchanged")
        } else {
            try EngineSettings.change(in: global.root, body.bytes)
            try show(try await policy(of: nil))
        }
        await client?.close()
    }

    private var body: JSONValue { .object(changes.map { ($0.name, $0.value) }) }

    private func policy(of client: EngineClient?) async throws -> [String: Any] {
        if let client { return try await client.change("settings", .get) }
        let text = SettingsDocument(try EngineSettings.policy(in: global.root)).json.bytes
        return try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any] ?? [:]
    }

    private func show(_ settings: [String: Any]) throws {
        if global.json {
            return try Console.result(object: settings)
        }
        for name in SettingArgument.all {
            Console.result("\(name)=\(SettingArgument.text(settings[name], of: name))")
        }
    }
}

/// A setting and its value, as a user types them.
struct SettingArgument {
    let name: String
    let value: JSONValue

    /// The settings in their order.
    static let all = SettingsDocument(EnginePolicy()).members.map(\.0)
    static let names = all.joined(separator: ", ")

    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, Self.all.contains(parts[0]) else {
            throw ValidationError("settings wants KEY=VALUE; the keys are \(Self.names).")
        }
        guard let value = Self.value(parts[1], of: parts[0]) else {
            throw ValidationError("\(parts[0]) can't be \(parts[1]): it wants \(Self.wanted(parts[0])).")
        }
        (name, self.value) = (parts[0], value)
    }

    private static func value(_ text: String, of name: String) -> JSONValue? {
        switch name {
        case "max_downloads", "transfers":
            Int(text).flatMap { (1...64).contains($0) ? .some(JSONValue($0)) : .none }
        case "schedule": Schedule(text).map { .string($0.description) }
        case "metered_ok": ["true": true, "false": false][text].map { .bool($0) }
        case "metered_interfaces":
            .array(text == "none" ? [] : text.split(separator: ",").map { .string(String($0)) })
        default:
            text == "none" || text == "0"
                ? JSONValue.null
                : ByteRate(argument: text).map { .integer(Int64(clamping: $0.bytesPerSecond)) }
        }
    }

    private static func wanted(_ name: String) -> String {
        switch name {
        case "max_downloads", "transfers": "a number from 1 to 64"
        case "schedule": "times of day such as 22:00-06:00, or always"
        case "metered_ok": "true or false"
        default: "bytes a second such as 500k or 2M, or none"
        }
    }

    /// A value of the answer for people.
    static func text(_ value: Any?, of name: String) -> String {
        switch value {
        case let list as [Any]: list.isEmpty ? "none" : list.map { "\($0)" }.joined(separator: ",")
        case let text as String: text
        case let flag as Bool where name == "metered_ok": "\(flag)"
        case let number as NSNumber: "\(number)"
        default: "none"
        }
    }
}
