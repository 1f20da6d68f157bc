/// The names of languages that the program needs, from Unicode CLDR. Foundation would have them all, for 34 MB.
enum LanguageNames {
    /// The name of a language in itself, such as `português (Brasil)`, or in English if that is all that is known;
    /// `nil` for an unknown language.
    ///
    /// - Parameter tag: in canonical form (`LanguageTag.canonical`).
    static func native(_ tag: String) -> String? {
        if let name = natives[tag] { return name }
        let parts = tag.split(separator: "-").map(String.init)
        guard let first = parts.first, let name = natives[first] ?? english[first] else { return nil }
        return described(name, parts.dropFirst(), regions: [:])
    }

    /// The name of a language in English, such as `Portuguese (Brazil)`; `nil` for an unknown language.
    ///
    /// - Parameter tag: in canonical form (`LanguageTag.canonical`).
    static func inEnglish(_ tag: String) -> String? {
        let parts = tag.split(separator: "-").map(String.init)
        guard let first = parts.first, let name = english[first] else { return nil }
        return described(name, parts.dropFirst(), regions: regions)
    }

    /// A name with its script and region behind it; unknown parts are shown as codes.
    private static func described(
        _ name: String, _ parts: ArraySlice<String>, regions: [String: String]
    ) -> String {
        guard !parts.isEmpty else { return name }
        return "\(name) (\(parts.map { scripts[$0] ?? regions[$0] ?? $0 }.joined(separator: ", ")))"
    }

    private static let natives = names(in: nativeTable)
    private static let english = names(in: englishTable)
    private static let regions = names(in: regionTable)
    private static let scripts = names(in: scriptTable)

    /// Reads `tag=name` entries, each of which ends with a bar.
    private static func names(in table: String) -> [String: String] {
        var names: [String: String] = [:]
        for entry in table.split(whereSeparator: { $0 == "|" || $0 == "\n" }) {
            guard let equals = entry.firstIndex(of: "=") else { continue }
            names[String(entry[..<equals])] = String(entry[entry.index(after: equals)...])
        }
        return names
    }
}
