internal import HLSPlaylist

extension PlaylistSource {
    /// The asset list of an interstitial as JSON (RFC 8216bis, appendix D.4); `nil` if there is none.
    ///
    /// - Parameter server: the part in front of the path in the assets' addresses.
    package func interstitialList(
        _ token: AssetToken, _ number: Int, server: String
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog,
            let json = try catalog.interstitials.all(of: token).first(where: { $0.number == number })?.list,
            var list = InterstitialList(json)
        else { return nil }
        var items: [InterstitialList.Item] = []
        for var item in list.assets {
            // The asset may have been removed.
            guard let child = AssetToken(item.uri), try catalog.assets.asset(child) != nil else { continue }
            item.uri = "\(server)/assets/\(child)/\(ServedMultivariantPlaylist.fileName)"
            items.append(item)
        }
        list.assets = items
        return list.json
    }

    /// The assets that were made for another asset's interstitials.
    package func interstitialAssets(of token: AssetToken) throws(StoreError) -> [AssetToken] {
        try catalog?.interstitials.interstitialAssets(of: [token]) ?? []
    }

    /// The interstitials of an asset, for the playlist at an address of the origin.
    func interstitials(
        of token: AssetToken, base: String, query: String = ""
    ) throws(StoreError) -> LocalInterstitials {
        LocalInterstitials(try catalog?.interstitials.all(of: token) ?? [], base: base, query: query)
    }
}
