package import HLSPlaylist

/// The address of an interstitial's asset or asset list (RFC 8216bis, appendix D).
package struct InterstitialPlace: Sendable, Hashable {
    /// Absolute.
    package var address: String
    /// Whether it is a list of assets, not an asset.
    package var isList: Bool

    private static let names = [("X-ASSET-URI", false), ("X-ASSET-LIST", true)]

    /// The places that date ranges name, each once.
    package static func all(in ranges: [AttributeList], base: URIReference) -> [InterstitialPlace] {
        var seen: Set<InterstitialPlace> = []
        let places = ranges.flatMap { list in
            names.compactMap { name, isList in
                list[name].map { InterstitialPlace(address: absolute($0, base), isList: isList) }
            }
        }
        return places.filter { seen.insert($0).inserted }
    }

    package static func isName(_ name: String) -> Bool { names.contains { $0.0 == name } }

    package static func absolute(_ uri: String, _ base: URIReference) -> String {
        URIReference(uri).resolved(against: base).description
    }
}

/// A row of `interstitial`: the stored asset of such an address.
package struct InterstitialRecord: Sendable {
    package var number: Int
    /// The address as in `InterstitialPlace`.
    package var address: String
    /// The asset; `nil` for a list.
    package var asset: AssetToken?
    /// An `InterstitialList` as JSON.
    package var list: [UInt8]?

    package init(number: Int, address: String, asset: AssetToken? = nil, list: [UInt8]? = nil) {
        self.number = number
        self.address = address
        self.asset = asset
        self.list = list
    }

    /// The address at which it is served, relative to a rendition's media playlist.
    package func uri(query: String) -> String {
        guard let asset else { return "../interstitials/\(number).json" }
        return "../../\(asset)/\(ServedMultivariantPlaylist.fileName)\(query)"
    }
}

/// The interstitials of an asset that are stored, so that its playlists can name them here. Pure.
package struct LocalInterstitials: Sendable {
    private let base: URIReference
    private let uris: [String: String]

    package static let none = LocalInterstitials([], base: "")

    /// - Parameters:
    ///   - base: the address of the playlist that names them.
    ///   - query: the query behind the names of playlists.
    package init(_ records: [InterstitialRecord], base: String, query: String = "") {
        self.base = URIReference(base)
        uris = Dictionary(records.map { ($0.address, $0.uri(query: query)) }) { first, _ in first }
    }

    /// The attributes that tell date ranges apart, and when they end.
    private static let names: Set = ["ID", "CLASS"]

    /// A tag for players; `nil` for one that refers to the network. A date range other than an interstitial loses
    /// only such attributes.
    package func local(_ tag: String) -> String? {
        let name = "#EXT-X-DATERANGE:"
        if Self.isLocal(tag) { return tag }
        guard tag.hasPrefix(name), let list = try? AttributeList(parsing: String(tag.dropFirst(name.count)))
        else { return nil }
        var pairs: [AttributeList.Pair] = []
        for var pair in list.pairs {
            if InterstitialPlace.isName(pair.name) {
                guard let uri = uris[InterstitialPlace.absolute(pair.value.text, base)] else { return nil }
                pair.value = .quoted(uri)
            } else if !Self.isLocal(pair.name) || !Self.isLocal(pair.value.text) {
                if Self.names.contains(pair.name) { return nil }
                continue
            }
            pairs.append(pair)
        }
        return name + AttributeList(pairs).verbatim
    }

    /// Whether an unknown tag names nothing in the network.
    private static func isLocal(_ tag: String) -> Bool {
        !tag.contains("://") && !tag.contains("X-ASSET-LIST") && !tag.contains("X-ASSET-URI")
    }
}
