internal import AssetStore

/// What a stream offers, for people and for programs.
struct OfferReport {
    private let offer: StreamInspector.Offer

    init(_ offer: StreamInspector.Offer) { self.offer = offer }

    var json: JSONValue {
        [
            "url": .string(offer.url), "eligible": .bool(offer.isEligible),
            "reasons": .array(offer.reasons.map { .string($0.name) }),
            "live": offer.isLive.map { .bool($0) } ?? .null,
            "duration": JSONValue(offer.duration), "bitrates": .array(offer.bitrates.map { JSONValue($0) }),
            "variants": .array(offer.variants.map(Self.json)),
            "renditions": .array(offer.renditions.map(Self.json)),
            "keys": .array(offer.keys.map(Self.json)),
            "key_providers": .array(offer.keyProviders.map { .string($0) }),
        ]
    }

    /// Every attribute verbatim, and the tag.
    static func json(_ listing: StreamInspector.Offer.Listing) -> JSONValue {
        .object([("tag", .string(listing.tag))] + listing.attributes.map { ($0.name, .string($0.value)) })
    }

    var text: [String] {
        var lines = [offer.url]
        lines += offer.reasons.map { "can't be downloaded: \($0.sentence)" }
        if let duration = offer.duration, offer.isLive != true {
            lines.append("length \(HumanUnits.duration(duration))")
        }
        if offer.isEligible { lines.append("can be downloaded") }
        lines += KeyProviderNames.lines(offer.keyProviders)
        return lines + self.lines(offer.variants) + self.lines(offer.renditions) + self.lines(offer.keys)
    }

    func lines(_ listings: [StreamInspector.Offer.Listing]) -> [String] {
        listings.map { listing in
            "  \(listing.tag.dropFirst(6)): "
                + listing.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ").plainLine
        }
    }
}

/// Who would be asked for keys.
enum KeyProviderNames {
    /// One line, or none.
    static func lines(_ names: [String]) -> [String] {
        names.isEmpty ? [] : ["keys would be asked of \(names.joined(separator: ", "))"]
    }
}
