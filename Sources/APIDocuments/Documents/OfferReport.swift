package import StoreReading

/// The offer of a stream, for programs.
package struct OfferReport {
    package let offer: StreamOffer

    package init(_ offer: StreamOffer) { self.offer = offer }

    package var json: JSONValue {
        [
            "url": .string(offer.url), "eligible": .bool(offer.isEligible),
            "reasons": .array(offer.reasons.map { .string($0.name) }),
            "live": offer.isLive.map { .bool($0) } ?? .null,
            "duration": JSONValue(offer.duration), "bitrates": .array(offer.bitrates.map { JSONValue($0) }),
            "variants": .array(offer.variants.map(Self.json)),
            "renditions": .array(offer.renditions.map(Self.json)),
            "keys": .array(offer.keys.map(Self.json)),
            "key_providers": .array(offer.keyProviders.map { .string($0) }),
            "lost": .array(offer.lost.map { .string($0) }),
        ]
    }

    /// Every attribute verbatim, the tag, and the address that follows it.
    package static func json(_ listing: StreamOffer.Listing) -> JSONValue {
        let uri = listing.uri.map { [("uri", JSONValue.string($0))] } ?? []
        return .object(
            [("tag", .string(listing.tag))] + uri + listing.attributes.map { ($0.name, .string($0.value)) })
    }
}

extension OfferReport {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Offer", offer)
        ]

        /// A tag with its attributes, verbatim.
        private static let listing: JSONValue = [
            "type": "object", "required": ["tag"], "additionalProperties": text,
            "description":
                "A tag of the playlist: \"tag\" is its name, \"uri\" the address of a variant without its query; the other members are its attributes, unchanged.",
        ]

        private static let offer = whole([
            ("url", text), ("eligible", flag.said("Whether it can be downloaded.")),
            ("reasons", texts.said("The reasons why it can't be downloaded.")), ("live", flagOrNull),
            ("duration", numberOrNull.said("Seconds.")), ("bitrates", list(integer.said("Bits a second."))),
            ("variants", list(listing)), ("renditions", list(listing)), ("keys", list(listing)),
            (
                "key_providers",
                texts.said(
                    "The names of the key providers that a download would ask for the keys of the first variant; this request asks none of them."
                )
            ), ("lost", texts.said("Variants whose playlists could not be read, with the reason.")),
        ])
    }
}
