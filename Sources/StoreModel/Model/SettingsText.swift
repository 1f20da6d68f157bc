internal import SystemPackage

/// A text of the settings: the text itself, or, for secrets, the name of a file, of a credential of the service
/// manager (systemd.exec(5), `LoadCredential=`) or of an environment variable with the text.
package enum SettingsText: Codable, Sendable {
    case plain(String)
    case file(String)
    case credential(String)
    case variable(String)

    private struct Place: Codable {
        var file: String?
        var credential: String?
        var env: String?
    }

    package init(from decoder: any Decoder) throws {
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
                codingPath: decoder.codingPath,
                debugDescription: "give exactly one of file, credential and env")
            throw DecodingError.dataCorrupted(context)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .plain(let text): try text.encode(to: encoder)
        case .file(let path): try Place(file: path).encode(to: encoder)
        case .credential(let name): try Place(credential: name).encode(to: encoder)
        case .variable(let name): try Place(env: name).encode(to: encoder)
        }
    }

    package var isPlain: Bool { if case .plain = self { true } else { false } }
}
