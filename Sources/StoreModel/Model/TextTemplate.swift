internal import Foundation
internal import HLSPlaylist

/// Text with names in braces, which are replaced by values. Braces around other text stay.
package struct TextTemplate {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// How a value is written so that it can't break out of its place.
    package enum Escaping {
        case none, url, json
    }

    package func filled(_ values: [String: String], _ escaping: Escaping) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let inner = rest[rest.index(after: open)...]
            if let close = inner.firstIndex(of: "}"), let value = values[String(inner[..<close])] {
                result += Self.escaped(value, escaping)
                rest = inner[inner.index(after: close)...]
            } else {
                result += "{"
                rest = inner
            }
        }
        return result + rest
    }

    private static func escaped(_ value: String, _ escaping: Escaping) -> String {
        switch escaping {
        case .none: value
        case .url: value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        case .json: String(((try? JSONText.plain([value])) ?? "").dropFirst(2).dropLast(2))
        }
    }

    /// RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

    /// Whether it is an http or https URL whose host no value can change.
    package static func hasFixedHost(_ text: String) -> Bool {
        let reference = URIReference(text)
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let slashes = text.range(of: "://")
        else { return false }
        let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("{")
    }
}
