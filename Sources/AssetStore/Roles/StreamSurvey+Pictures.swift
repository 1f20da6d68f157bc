internal import HLSPlaylist
internal import SystemPackage
internal import Transfers

/// The pictures and the session data of a stream.
extension StreamSurvey {
    static let artworkLimit: UInt64 = 16 << 20

    /// Bytes of one item, and how many items are taken.
    static let sessionDataLimits = (bytes: UInt64(1 << 20), count: 32)

    /// Fetches the session data that a stream names by address. Data that can't be fetched are left out.
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

    /// The picture that a request names, or else the one that the stream names.
    ///
    /// - Parameter failed: is called with the error if the request's picture can't be read, and may throw.
    func artwork(
        _ source: String?, of master: ResolvedMaster, origin: Origin,
        failed: (StoreError) throws(StoreError) -> Void
    ) async throws(StoreError) -> Artwork? {
        if let source {
            do throws(StoreError) {
                return try await artwork(source, for: .artwork, origin: origin)
            } catch {
                try failed(error)
            }
        }
        let poster = Self.places(in: master).first { $0.item.dataID == ServedMultivariantPlaylist.posterID }
        guard let url = poster?.url else { return nil }
        return (try? await artwork(url, for: .sessionData, origin: origin)) ?? nil
    }

    /// Reads a picture from an address or a file.
    func artwork(
        _ source: String, for purpose: HeaderRule.Purpose, origin: Origin
    ) async throws(StoreError) -> Artwork? {
        let bytes: [UInt8]
        if source.hasPrefix("http://") || source.hasPrefix("https://") {
            bytes = try await origin.small(source, for: purpose, limit: Self.artworkLimit)
        } else {
            guard let file = try DurableWrite.read(FilePath(source), limit: Int(Self.artworkLimit)) else {
                throw StoreError(.file(.read, source, errno: Errno.noSuchFileOrDirectory.rawValue))
            }
            bytes = file
        }
        guard let artwork = Artwork(poster: bytes) else { throw Self.noPicture }
        return artwork
    }

    static var noPicture: StoreError {
        StoreError(
            .notImportable(
                "the artwork is neither a JPEG, a PNG nor a WebP picture; name a picture in one of these formats"
            ))
    }

    private static func places(in master: ResolvedMaster) -> [(number: Int, item: SessionData, url: String)] {
        guard case .multivariant(let playlist) = master.playlist else { return [] }
        let base = URIReference(master.url)
        return playlist.sessionData.enumerated().compactMap { number, item in
            item.uri.map { (number, item, URIReference($0).resolved(against: base).description) }
        }
    }
}
