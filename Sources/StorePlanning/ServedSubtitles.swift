internal import HLSPlaylist

/// The rules for subtitles in the multivariant playlist that players get. Pure.
package enum ServedSubtitles {
    /// Below an asset's URL: where whole tracks, and tracks cut for players, are served.
    package static let folder = "subtitles"
    /// The group of subtitles for variants that have no group of their own.
    private static let group = "sideband"

    /// Puts added tracks into every subtitle group that the asset's variants name, and gives variants without one a
    /// group for them.
    static func grouped(_ rows: [RenditionRecord]) -> [RenditionRecord] {
        guard rows.contains(where: { $0.sourceFile != nil }) else { return rows }
        var groups: [String] = []
        let variants = rows.map { row in
            guard row.kind == .variant else { return row }
            var row = row
            row.listings = row.listings.map { text in
                guard var list = try? AttributeList(parsing: text) else { return text }
                if list["SUBTITLES"] == nil { list = list.setting("SUBTITLES", quoted: group) }
                if let name = list["SUBTITLES"], !groups.contains(name) { groups.append(name) }
                return list.verbatim
            }
            return row
        }
        return variants.map { row in
            guard row.sourceFile != nil else { return row }
            var row = row
            row.listings = groups.map { row.attributes.setting("GROUP-ID", quoted: $0).verbatim }
            return row
        }
    }

    /// The attributes without the codecs of subtitles in MP4, which are served as WebVTT: players refuse a variant
    /// with unknown codecs.
    static func withoutTextCodecs(_ list: AttributeList) -> AttributeList {
        guard let codecs = list["CODECS"] else { return list }
        let kept = codecs.split(separator: ",").filter { codec in
            let name = codec.drop { $0 == " " }.lowercased()
            return !name.hasPrefix("stpp") && !name.hasPrefix("wvtt")
        }
        let text = kept.joined(separator: ",")
        return text == codecs || kept.isEmpty ? list : list.setting("CODECS", quoted: text)
    }
}
