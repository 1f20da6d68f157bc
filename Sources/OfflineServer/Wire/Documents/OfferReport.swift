package import AssetStore

/// The offer of a stream, for programs.
package struct OfferReport {
    package let offer: StreamInspector.Offer

    package init(_ offer: StreamInspector.Offer) { self.offer = offer }

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
    package static func json(_ listing: StreamInspector.Offer.Listing) -> JSONValue {
        let uri = listing.uri.map { [("uri", JSONValue.string($0))] } ?? []
        return .object(
            [("tag", .string(listing.tag))] + uri + listing.attributes.map { ($0.name, .string($0.value)) })
    }
}
