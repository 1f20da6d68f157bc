internal import Foundation
package import SystemPackage

/// The settings of a store in their file, `config.json`.
extension EngineSettings {
    /// Advice if other users may read a settings file with secrets; `nil` if not.
    package func exposure(_ path: FilePath) -> String? {
        guard FileSystem.isOpenToOthers(path) else { return nil }
        if catalog != nil {
            return
                "\(path) has the address of the catalog's database in it and can be read by others; `chmod 600 \(path)`"
        }
        guard keyProviders.contains(where: \.holdsSecrets) else { return nil }
        return
            "\(path) has header fields of a key provider in it and can be read by others; `chmod 600 \(path)`, or have them in a file, credential or variable"
    }

    /// The variables, credentials and files that the settings name and that can't be read, each in a sentence that
    /// names the key provider.
    package func absences(_ environment: [String: String]) -> [String] {
        keyProviders.flatMap { provider in
            provider.texts.compactMap { $0.problem(environment) }.map {
                "the key provider \(provider.name): \($0.message)"
            }
        }
    }

    /// The programs in the settings that can't be started, each in a sentence with its purpose.
    package func lackingPrograms(_ environment: [String: String]) -> [String] {
        let services =
            hooks.map { ("a hook", $0.service.command) }
            + [("the link resolver", linkResolver?.command)]
            + keyProviders.map { ("the key provider \($0.name)", $0.command) }
        return services.compactMap { who, command in
            guard let program = command?.first, !Self.canStart(program, environment) else { return nil }
            return
                "\(who): there is no program \(program) that can be started; check its entry in config.json"
        }
    }

    private static func canStart(_ program: String, _ environment: [String: String]) -> Bool {
        guard !program.contains("/") else { return FileManager.default.isExecutableFile(atPath: program) }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Reads the settings of a store; the defaults without a file.
    ///
    /// - Throws: `settings` if the file has a fault, with the line and the fault.
    package static func read(_ path: FilePath) throws(StoreError) -> EngineSettings {
        guard let bytes = try DurableWrite.read(path, limit: 1 << 20) else { return EngineSettings() }
        return try decode(bytes, of: path)
    }

    /// Decodes the content of a settings file.
    ///
    /// - Throws: `settings` if it has a fault, with the line and the fault.
    package static func decode(_ bytes: [UInt8], of path: FilePath) throws(StoreError) -> EngineSettings {
        if let fault = SettingsShape.fault(in: bytes) {
            let line = LocatedJSON.line(of: fault.offset, in: bytes)
            throw StoreError(.settings(path.string, line: line, fault))
        }
        do {
            return try JSONDecoder().decode(EngineSettings.self, from: Data(bytes))
        } catch {
            let fault = JSONFault(.syntax("it can't be read"), path: [])
            throw StoreError(.settings(path.string, line: 1, fault))
        }
    }

    /// Changes members of the settings of a store; the rest of the file stays.
    ///
    /// - Parameter members: a JSON object with the new values; null removes a member.
    /// - Throws: `settings` if the settings can't be read, before or after the change; the file stays unchanged.
    package static func change(in root: FilePath, _ members: [UInt8]) throws(StoreError) {
        let path = StorePaths(root: root).settings
        let old = try DurableWrite.read(path, limit: 1 << 20) ?? Array("{}".utf8)
        _ = try decode(old, of: path)
        let object = try? JSONSerialization.jsonObject(with: Data(old))
        let changes = try? JSONSerialization.jsonObject(with: Data(members))
        var settings = object as? [String: Any] ?? [:]
        for (name, value) in changes as? [String: Any] ?? [:] {
            settings[name] = value is NSNull ? nil : value
        }
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
        ]
        let written = try? JSONSerialization.data(withJSONObject: settings, options: options)
        let bytes = [UInt8](written ?? Data(old))
        _ = try decode(bytes, of: path)
        try FileSystem.makeDirectory(root)
        try DurableWrite.write(bytes + [UInt8(ascii: "\n")], to: path)
    }
}

extension StoragePolicy {
    /// Reads the policy from the settings of a store.
    ///
    /// - Throws: `settings` when they can't be read.
    package init(settingsIn root: FilePath) throws(StoreError) {
        self = try EngineSettings.read(StorePaths(root: root).settings).storage
    }
}
