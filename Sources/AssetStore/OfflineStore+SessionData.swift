internal import HLSPlaylist
internal import Transfers

extension OfflineStore {
    /// Bytes of one item, and how many items are taken.
    static let sessionDataLimits = (bytes: UInt64(1 << 20), count: 32)

    /// Gets the session data that a stream keeps elsewhere. What can't be had is left out.
    func sessionData(of master: ResolvedMaster, origin: Origin) async -> [SessionDataRecord] {
        var records: [SessionDataRecord] = []
        for (number, item, url) in Self.places(in: master).prefix(Self.sessionDataLimits.count)
        where item.dataID != ServedMultivariantPlaylist.posterID {
            guard
                let body = try? await origin.small(
                    url, for: .sessionData, limit: Self.sessionDataLimits.bytes)
            else {
                continue
            }
            records.append(SessionDataRecord(number: number, isJSON: item.format == "JSON", body: body))
        }
        return records
    }

    /// The picture that a request names, or else the stream.
    func artwork(
        _ source: String?, of master: ResolvedMaster, origin: Origin
    ) async throws(StoreError) -> Artwork? {
        if let source { return try await artwork(source, for: .artwork, origin: origin) }
        let poster = Self.places(in: master).first { $0.item.dataID == ServedMultivariantPlaylist.posterID }
        guard let url = poster?.url else { return nil }
        return (try? await artwork(url, for: .sessionData, origin: origin)) ?? nil
    }

    /// The title that a stream gives itself: a line of 200 Unicode scalars at most; `nil` when there is none.
    static func title(of master: ResolvedMaster) -> String? {
        guard case .multivariant(let playlist) = master.playlist else { return nil }
        let titles = playlist.sessionData.filter { $0.dataID == ServedMultivariantPlaylist.titleID }
        // Without a language it is meant for all.
        guard let text = (titles.first { $0.language == nil } ?? titles.first)?.value else { return nil }
        let words = text.plainLine.split(separator: " ").joined(separator: " ").unicodeScalars.prefix(200)
        return words.isEmpty ? nil : String(words)
    }

    private static func places(in master: ResolvedMaster) -> [(number: Int, item: SessionData, url: String)] {
        guard case .multivariant(let playlist) = master.playlist else { return [] }
        let base = URIReference(master.url)
        return playlist.sessionData.enumerated().compactMap { number, item in
            item.uri.map { (number, item, URIReference($0).resolved(against: base).description) }
        }
    }
}

extension StoreReader {
    /// Session data of an asset by its number, and whether it is JSON; `nil` when there is none.
    package func sessionData(
        of token: AssetToken, _ number: Int
    ) throws(StoreError) -> (bytes: [UInt8], isJSON: Bool)? {
        try catalog?.sessionData.item(of: token, number).map { ($0.body, $0.isJSON) }
    }
}
