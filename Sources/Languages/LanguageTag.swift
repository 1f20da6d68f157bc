/// Language tags (BCP 47) and the names of languages.
package enum LanguageTag {
    /// A tag in its usual form: `en-GB` for `EN_gb`, and `de` for `deu`.
    package static func canonical(_ tag: String) -> String {
        let parts = LanguageRange.canonical(tag)
        return parts.enumerated().map { place, part in
            if place == 0 { return part }
            if parts[1..<place].contains(where: { $0.utf8.count == 1 }) { return part }
            switch part.utf8.count {
            case 2: return part.uppercased()
            case 4: return part.prefix(1).uppercased() + part.dropFirst()
            default: return part
            }
        }.joined(separator: "-")
    }

    /// Whether a text has the form of a tag (RFC 5646, section 2.1), roughly: it can be part of an address.
    package static func isTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            (1...8).contains(part.count)
                && part.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0) }
        }
        return isPlain && text.utf8.count <= 35 && parts[0].count >= 2 && parts[0].allSatisfy { $0 > 0x39 }
    }

    /// The name of a language in English, such as `Portuguese (Brazil)`; `nil` for an unknown language.
    package static func englishName(_ tag: String) -> String? { LanguageNames.inEnglish(canonical(tag)) }

    /// The name of a language in itself, such as `português (Brasil)`; `nil` for an unknown language.
    package static func nativeName(_ tag: String) -> String? { LanguageNames.native(canonical(tag)) }
}
