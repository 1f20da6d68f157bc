/// Matching of language tags (BCP 47) by RFC 4647, lenient in both directions: `en` finds `en-GB`, and `en-GB` finds
/// `en` if there is no closer match. ISO 639-2 codes count as their two-letter forms. `*` matches any language, and
/// is ignored between others (section 3.4).
package enum LanguageRange {
    /// The positions of the `tags` that `range` means: the exact ones, else longer ones, else shorter ones.
    package static func matches(_ range: String, in tags: [String?]) -> [Int] {
        if range == "*" { return Array(tags.indices) }
        let wanted = canonical(range).filter { $0 != "*" }
        guard !wanted.isEmpty else { return [] }
        let known = tags.map { $0.map(canonical) }
        let exact = known.indices.filter { known[$0] == wanted }
        if !exact.isEmpty { return exact }
        let longer = known.indices.filter { known[$0]?.starts(with: wanted) == true }
        if !longer.isEmpty { return longer }
        var shorter = wanted.dropLast()
        while !shorter.isEmpty {
            let found = known.indices.filter { known[$0].map { $0[...] == shorter } == true }
            if !found.isEmpty { return found }
            shorter = shorter.dropLast()
        }
        return []
    }

    package static func canonical(_ tag: String) -> [String] {
        var parts = tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
        if let first = parts.first, let short = LanguageCodes.twoLetter[first] { parts[0] = short }
        return parts
    }
}
