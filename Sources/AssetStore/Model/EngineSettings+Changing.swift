internal import Foundation
public import SystemPackage

extension EngineSettings {
    /// What an engine would keep to that starts on the store now.
    ///
    /// - Throws: `settings` when the store's settings can't be read.
    public static func policy(in root: FilePath) throws(StoreError) -> EnginePolicy {
        EnginePolicy(try read(StorePaths(root: root).settings), AssetStore.Configuration())
    }

    /// Changes members of the settings of a store; everything else in the file stays.
    ///
    /// - Parameter members: a JSON object of what is to be set; null takes a member away.
    /// - Throws: `settings` when the settings can't be read, or could not be then; the file stays as it is.
    public static func change(in root: FilePath, _ members: [UInt8]) throws(StoreError) {
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
