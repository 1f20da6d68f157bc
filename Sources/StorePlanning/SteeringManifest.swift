internal import ASCII
internal import FoundationEssentials
internal import HLSPlaylist

/// The answer of a steering server (RFC 8216bis, section 7.2).
package struct SteeringManifest: Sendable, Decodable {
    /// A pathway that is derived from another one.
    package struct Clone: Sendable, Decodable {
        /// The pathway that it is made from.
        package var base: String
        package var id: String
        var replacement: Replacement

        private enum CodingKeys: String, CodingKey {
            case base = "BASE-ID"
            case id = "ID"
            case replacement = "URI-REPLACEMENT"
        }
    }

    /// The rule that turns the addresses of a pathway into those of its clone.
    package struct Replacement: Sendable, Decodable {
        package var host: String?
        package var parameters: [String: String]?
        package var variants: [String: String]?
        package var renditions: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case host = "HOST"
            case parameters = "PARAMS"
            case variants = "PER-VARIANT-URIS"
            case renditions = "PER-RENDITION-URIS"
        }
    }

    /// Seconds after which it is to be asked for again.
    package var lifetime: Double
    /// Pathways, the best first.
    package var priority: [String]
    package var clones: [Clone]

    private enum CodingKeys: String, CodingKey {
        case lifetime = "TTL"
        case priority = "PATHWAY-PRIORITY"
        case clones = "PATHWAY-CLONES"
        case version = "VERSION"
    }

    static let usualLifetime = 300.0

    /// Reads version 1.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Int.self, forKey: .version) == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "another version"))
        }
        lifetime = try container.decodeIfPresent(Double.self, forKey: .lifetime) ?? Self.usualLifetime
        priority = try container.decodeIfPresent([String].self, forKey: .priority) ?? []
        clones = try container.decodeIfPresent([Clone].self, forKey: .clones) ?? []
    }
}

extension SteeringManifest.Clone {
    /// The playlist on the cloned pathway.
    package func applied(to candidate: AlternativeStreams.Candidate) -> AlternativeStreams.Candidate {
        var made = candidate
        (made.pathway, made.isOwn) = (id, false)
        let named = candidate.isRendition ? replacement.renditions : replacement.variants
        if let url = candidate.stableID.flatMap({ named?[$0] }) {
            made.url = url
            return made
        }
        made.url = replaced(URIReference(candidate.url))
        return made
    }

    private func replaced(_ url: URIReference) -> String {
        let port = url.port.map { ":\($0)" } ?? ""
        let host = replacement.host.map { $0.contains(":") ? $0 : $0 + port } ?? url.authority ?? ""
        let query = replaced(query: url.query ?? "")
        return "\(url.scheme ?? "https")://\(host)\(url.path)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// A query in which the clone's parameters replace those of the same names.
    private func replaced(query: String) -> String {
        guard let parameters = replacement.parameters, !parameters.isEmpty else { return query }
        let kept = query.split(separator: "&").filter { item in
            let names = URIReference("?\(item.replacing("+", with: "%20"))").queryItems.keys
            return names.allSatisfy { parameters[$0] == nil }
        }
        let added = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(Self.escaped(name))=\(Self.escaped(value))"
        }
        return (kept.map { String($0) } + added).joined(separator: "&")
    }

    package static func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let bytes = text.utf8.flatMap { byte in
            plain.contains(byte)
                ? [byte] : Hexadecimal.percentEncoded(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
