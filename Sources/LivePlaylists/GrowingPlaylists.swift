internal import Locking

/// The cached playlists of unfinished recordings. A newer playlist replaces the older one of its rendition; when the
/// memory limit is reached, the least recently used ones are removed.
package final class GrowingPlaylists: Sendable {
    package struct Key: Hashable, Sendable {
        package var token: AssetToken
        package var rendition: String
        package var view: LiveView
        /// The number of stored initialization sections. They name key IDs, so a new section changes the playlist.
        package var sections: Int

        package init(token: AssetToken, rendition: String, view: LiveView, sections: Int) {
            self.token = token
            self.rendition = rendition
            self.view = view
            self.sections = sections
        }

        fileprivate func isOfSameRendition(as other: Key) -> Bool {
            token == other.token && rendition == other.rendition
        }
    }

    private struct Entry {
        var pieces: Int
        var bytes: [UInt8]
        /// The number of its last request, in the order of all requests.
        var used: Int
    }

    private struct Made {
        var byKey: [Key: Entry] = [:]
        /// Memory that all of them take.
        var bytes = 0
        var requests = 0

        mutating func remove(_ key: Key) {
            if let entry = byKey.removeValue(forKey: key) { bytes -= entry.bytes.count }
        }

        mutating func remove(where isGone: (Key, Entry) -> Bool) {
            for (key, entry) in byKey where isGone(key, entry) { remove(key) }
        }

        mutating func removeOldest() {
            if let oldest = byKey.min(by: { $0.value.used < $1.value.used })?.key { remove(oldest) }
        }
    }

    private let made = Lock(Made())
    private let largestBytes: Int
    package static let largestCount = 32

    /// - Parameter largestBytes: the memory for all playlists. A playlist of more than half of it is not kept.
    package init(largestBytes: Int = 32 << 20) { self.largestBytes = largestBytes }

    /// Memory in use, in bytes.
    package var heldBytes: Int { made.withLock { $0.bytes } }

    package func find(_ key: Key, pieces: Int) -> [UInt8]? {
        made.withLock { made in
            guard let entry = made.byKey[key], entry.pieces == pieces else { return nil }
            made.requests += 1
            made.byKey[key]?.used = made.requests
            return entry.bytes
        }
    }

    package func store(_ bytes: [UInt8], under key: Key, pieces: Int) {
        made.withLock { made in
            made.remove { $0.isOfSameRendition(as: key) && $1.pieces < pieces }
            made.remove(key)
            guard bytes.count <= largestBytes / 2 else { return }
            while made.byKey.count >= Self.largestCount || made.bytes + bytes.count > largestBytes {
                made.removeOldest()
            }
            made.requests += 1
            made.byKey[key] = Entry(pieces: pieces, bytes: bytes, used: made.requests)
            made.bytes += bytes.count
        }
    }

    /// Removes the playlists of assets whose keys may have changed, or whose recording has ended.
    package func forget(_ tokens: Set<AssetToken>) {
        made.withLock { made in made.remove { key, _ in tokens.contains(key.token) } }
    }
}
