internal import APIDocuments
internal import AssetStore
internal import OfflineServer

/// The variants and renditions of a stream as text.
extension OfferReport {
    private typealias Listing = StreamOffer.Listing

    /// - Parameter isVerbose: whether to add the tags of the playlist.
    func text(isVerbose: Bool) -> [String] {
        var lines = [offer.url] + summary
        for table in [variantTable, renditionTable, keyTable] where !table.isEmpty { lines += [""] + table }
        guard isVerbose else { return lines }
        let tags = Self.lines(offer.variants + offer.renditions + offer.keys)
        return tags.isEmpty ? lines : lines + [""] + tags
    }

    /// The renditions without the variants.
    func renditions(isVerbose: Bool) -> [String] {
        isVerbose ? Self.lines(offer.renditions) : renditionTable
    }

    private var summary: [String] {
        var lines = offer.reasons.map { "can't be downloaded: \($0.sentence)" }
        if offer.isEligible { lines.append("can be downloaded") }
        switch (offer.isLive, offer.duration) {
        case (true, _): lines.append("live: it has no end yet")
        case (_, let duration?): lines.append("length \(HumanUnits.duration(duration)), not live")
        default: break
        }
        lines += offer.lost.map { "can't be read: \($0)" }
        lines += KeyProviderNames.lines(offer.keyProviders)
        if offer.variants.isEmpty && offer.isEligible { lines.append("one media playlist, without variants") }
        return lines
    }

    /// The variants, the highest first.
    private var variantTable: [String] {
        let variants = offer.variants.sorted {
            Self.bits($0, "BANDWIDTH") ?? 0 > Self.bits($1, "BANDWIDTH") ?? 0
        }
        return Self.table([
            ("PICTURE", variants.map { $0["RESOLUTION"] ?? Table.nothing }),
            ("FPS", variants.map { Self.frames($0["FRAME-RATE"]) }),
            ("RANGE", variants.map { $0["VIDEO-RANGE"] ?? Table.nothing }),
            ("PEAK", variants.map { Self.rate($0, "BANDWIDTH") }),
            ("AVERAGE", variants.map { Self.rate($0, "AVERAGE-BANDWIDTH") }),
            ("SIZE", variants.map(size)), ("CODECS", variants.map { $0["CODECS"] ?? Table.nothing }),
            ("AUDIO", variants.map { $0["AUDIO"] ?? Table.nothing }),
            ("SUBTITLES", variants.map { $0["SUBTITLES"] ?? Table.nothing }),
        ])
    }

    /// Audio, subtitles and other renditions; AUDIO and SUBTITLES of the variants name their groups.
    private var renditionTable: [String] {
        let all = offer.renditions
        return Self.table([
            ("TYPE", all.map(Self.type)), ("LANGUAGE", all.map { $0["LANGUAGE"] ?? Table.nothing }),
            ("NAME", all.map { $0["NAME"] ?? Table.nothing }),
            ("PICTURE", all.map { $0["RESOLUTION"] ?? Table.nothing }),
            ("PEAK", all.map { Self.rate($0, "BANDWIDTH") }),
            ("GROUP", all.map { $0["GROUP-ID"] ?? Table.nothing }), ("NOTES", all.map(Self.notes)),
        ])
    }

    private var keyTable: [String] {
        Self.table([
            ("ENCRYPTION", offer.keys.map { $0["METHOD"] ?? Table.nothing }),
            ("KEY SYSTEM", offer.keys.map(\.keySystem)),
            ("KEY", offer.keys.map { $0["URI"] ?? Table.nothing }),
        ])
    }

    private static func table(_ columns: [(header: String, cells: [String])]) -> [String] {
        columns.allSatisfy(\.cells.isEmpty) ? [] : Table(columns: columns).lines
    }

    private static func lines(_ listings: [Listing]) -> [String] {
        listings.map { listing in
            let attributes = listing.attributes.map { "\($0.name)=\($0.value)" }
            let words = attributes + [listing.uri].compactMap(\.self)
            return "  \(listing.tag.dropFirst(6)): " + words.joined(separator: " ").plainLine
        }
    }

    private static func bits(_ listing: Listing, _ name: String) -> Int? { listing[name].flatMap { Int($0) } }

    private static func rate(_ listing: Listing, _ name: String) -> String {
        bits(listing, name).map(HumanUnits.bitrate) ?? Table.nothing
    }

    /// The size by the average bit rate, or without one by four fifths of the peak.
    private func size(_ variant: Listing) -> String {
        let average = Self.bits(variant, "AVERAGE-BANDWIDTH").map(Double.init)
        let likely = average ?? Self.bits(variant, "BANDWIDTH").map { Double($0) * 0.8 }
        guard offer.isLive == false, let duration = offer.duration, let likely else { return Table.nothing }
        let bytes = likely * duration / 8
        return bytes.isFinite && bytes < 1e15 ? "~\(HumanUnits.bytes(Int64(bytes)))" : Table.nothing
    }

    /// `25` for `25.000`.
    private static func frames(_ rate: String?) -> String {
        guard let rate, let value = Double(rate), value.isFinite, abs(value) < 1e6 else {
            return Table.nothing
        }
        return value == value.rounded() ? "\(Int(value))" : rate
    }

    private static func type(_ rendition: Listing) -> String {
        switch rendition.tag {
        case "EXT-X-I-FRAME-STREAM-INF": "trick play"
        case "EXT-X-IMAGE-STREAM-INF": "thumbnails"
        default: rendition["TYPE"]?.lowercased() ?? Table.nothing
        }
    }

    private static func notes(_ rendition: Listing) -> String {
        let channels = rendition["CHANNELS"].map { count in count == "1" ? "1 channel" : "\(count) channels" }
        let isInside = rendition.tag == "EXT-X-MEDIA" && rendition["URI"] == nil
        let words =
            [
                rendition["DEFAULT"] == "YES" ? "default" : nil,
                rendition["FORCED"] == "YES" ? "forced" : nil,
                channels, isInside ? "in the variant" : nil,
            ].compactMap(\.self) + characteristics(rendition)
        return words.isEmpty ? Table.nothing : words.joined(separator: ", ")
    }

    /// The meaning of accessibility CHARACTERISTICS (RFC 8216bis, section 4.4.6.1).
    private static func characteristics(_ rendition: Listing) -> [String] {
        (rendition["CHARACTERISTICS"] ?? "").split(separator: ",").compactMap { name in
            switch name {
            case "public.accessibility.describes-video": "describes the video"
            case "public.accessibility.transcribes-spoken-dialog": "transcribes dialog"
            case "public.accessibility.describes-music-and-sound": "describes sounds"
            case "public.easy-to-read": "easy to read"
            default: nil
            }
        }
    }
}

/// The names of the key providers that would be asked.
enum KeyProviderNames {
    /// One line, or none.
    static func lines(_ names: [String]) -> [String] {
        names.isEmpty ? [] : ["keys would be requested from \(names.joined(separator: ", "))"]
    }
}
