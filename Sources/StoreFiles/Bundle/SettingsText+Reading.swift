internal import SystemPackage

extension SettingsText {
    /// The text's bytes, of 1 MiB at most.
    ///
    /// - Throws: `unset` when the environment variable is missing, `file` when the file can't be read.
    package func bytes(_ environment: [String: String]) throws(StoreError) -> [UInt8] {
        switch self {
        case .plain(let text): return Array(text.utf8)
        case .variable(let name):
            guard let value = environment[name] else { throw StoreError(.unset("$\(name)")) }
            return Array(value.utf8)
        case .file(let path): return try Self.read(FilePath(path))
        case .credential(let name):
            guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty,
                let component = FilePath.Component(name), component.kind == .regular
            else { throw StoreError(.unset("the credential \(name)")) }
            return try Self.read(FilePath(folder).appending(component))
        }
    }

    /// The error with which the text can't be read now; `nil` if it can.
    package func problem(_ environment: [String: String]) -> StoreError? {
        do throws(StoreError) {
            _ = try bytes(environment)
            return nil
        } catch {
            return error
        }
    }

    private static func read(_ path: FilePath) throws(StoreError) -> [UInt8] {
        guard let bytes = try DurableWrite.read(path, limit: 1 << 20) else {
            throw .system(.open, path, reason: .noSuchFileOrDirectory)
        }
        return bytes
    }
}
