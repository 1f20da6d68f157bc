internal import Locking

/// Playlists of recordings that go on, each made once for what is recorded. What was made of less of the same rendition
/// is let go, and so is what was not asked for longest when memory gets short.
package final class GrowingPlaylists: Sendable {
    package struct Key: Hashable, Sendable {
        package var token: AssetToken
        package var rendition: String
        package var view: LiveView
        /// How many initialization sections are stored, which tell of keys.
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

    /// - Parameter largestBytes: memory that all together may take; what would take more than half of it is not kept.
    package init(largestBytes: Int = 32 << 20) { self.largestBytes = largestBytes }

    /// Memory that is taken now, in bytes.
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

    /// Forgets those of assets whose keys may be others now, or which are recorded no more.
    package func forget(_ tokens: Set<AssetToken>) {
        made.withLock { made in made.remove { key, _ in tokens.contains(key.token) } }
    }
}
