internal import HLSPlaylist
internal import Locking

extension StoreReader {
    /// A rendition's media playlist while it is recorded; `nil` when it is not: then it has a file.
    public func growingMediaPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog, try catalog.recording(of: token)?.isOpen == true,
            let row = try catalog.rendition(token, rendition)
        else { return nil }
        let pieces = try catalog.pieceCount(token, rendition)
        let key = GrowingPlaylists.Key(
            token: token, rendition: rendition, view: view, sections: row.storedInitializations)
        if let bytes = growingPlaylists.find(key, pieces: pieces) { return bytes }
        guard let served = try served(token, rendition, view)?.playlist else { return nil }
        let bytes = GrowingPlaylist(served: served, view: view).bytes
        growingPlaylists.store(bytes, under: key, pieces: pieces)
        return bytes
    }
}

/// Playlists of recordings that go on, each made once for what is recorded.
final class GrowingPlaylists: Sendable {
    struct Key: Hashable, Sendable {
        var token: AssetToken
        var rendition: String
        var view: LiveView
        /// How many initialization sections are stored, which tell of keys.
        var sections: Int
    }

    private let made = Lock<[Key: (pieces: Int, bytes: [UInt8])]>([:])
    private static let largestCount = 32

    func find(_ key: Key, pieces: Int) -> [UInt8]? {
        made.withLock { $0[key].flatMap { $0.pieces == pieces ? $0.bytes : nil } }
    }

    func store(_ bytes: [UInt8], under key: Key, pieces: Int) {
        made.withLock { made in
            if made.count >= Self.largestCount, made[key] == nil { made = [:] }
            made[key] = (pieces, bytes)
        }
    }

    /// Forgets those of assets whose keys may be others now.
    func forget(_ tokens: Set<AssetToken>) {
        made.withLock { made in made = made.filter { !tokens.contains($0.key.token) } }
    }
}
