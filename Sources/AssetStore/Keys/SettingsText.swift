internal import SystemPackage

/// A text of the settings: as it is, or, what secrets should be, in a file, a credential of the service manager
/// (systemd.exec(5), `LoadCredential=`) or a variable of the environment.
enum SettingsText: Codable, Sendable {
    case plain(String)
    case file(String)
    case credential(String)
    case variable(String)

    private struct Place: Codable {
        var file: String?
        var credential: String?
        var env: String?
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .plain(text)
            return
        }
        let place = try Place(from: decoder)
        switch (place.file, place.credential, place.env) {
        case (let path?, nil, nil): self = .file(path)
        case (nil, let name?, nil): self = .credential(name)
        case (nil, nil, let name?): self = .variable(name)
        default:
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "one of file, credential and env is wanted")
            throw DecodingError.dataCorrupted(context)
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .plain(let text): try text.encode(to: encoder)
        case .file(let path): try Place(file: path).encode(to: encoder)
        case .credential(let name): try Place(credential: name).encode(to: encoder)
        case .variable(let name): try Place(env: name).encode(to: encoder)
        }
    }

    var isPlain: Bool { if case .plain = self { true } else { false } }

    /// The text's bytes, of 1 MiB at most.
    ///
    /// - Throws: `unset` when the environment does not have it, `file` when it can't be read.
    func bytes(_ environment: [String: String]) throws(StoreError) -> [UInt8] {
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

    /// Why the text can't be had now; `nil` when it can.
    func problem(_ environment: [String: String]) -> StoreError? {
        do throws(StoreError) {
            _ = try bytes(environment)
            return nil
        } catch {
            return error
        }
    }

    private static func read(_ path: FilePath) throws(StoreError) -> [UInt8] {
        guard let bytes = try DurableWrite.read(path, limit: 1 << 20) else {
            throw .system(.open, path, .noSuchFileOrDirectory)
        }
        return bytes
    }
}
