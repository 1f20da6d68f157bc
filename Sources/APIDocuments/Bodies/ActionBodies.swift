package import StoreReading

/// The body of `POST /assets/{token}/resume`.
package struct ResumeBody: Codable {
    /// Whether a different stream at the origin replaces the stored one.
    package var acceptChanges: Bool?

    package init(acceptChanges: Bool?) { self.acceptChanges = acceptChanges }
}

/// The body of `POST /assets/{token}/cancel`; other actions have no members.
package struct CancelBody: Decodable {
    package var purge: Bool?
}

/// The body of `POST /control`.
package struct ControlBody: Codable {
    package var action: String
    package var tokens: [String]?
    package var all: Bool?
    package var purge: Bool?
    package var priority: Int?

    package init(action: String, tokens: [String]?, purge: Bool? = nil, priority: Int? = nil) {
        (self.action, self.tokens, self.purge, self.priority) = (action, tokens, purge, priority)
    }

    /// The assets that are named, by their tokens or by tags, and the texts that name none; `nil` for all.
    ///
    /// - Throws: `noSuchAsset` when no text names an asset.
    package func named(in reader: StoreReader) throws(StoreError) -> (
        tokens: [AssetToken], unknown: [String]
    )? {
        guard let tokens else { return nil }
        var (known, unknown): ([AssetToken], [String]) = ([], [])
        var seen: Set<AssetToken> = []
        for text in tokens {
            do throws(StoreError) {
                known += try TokenArgument.expand([text], reader).filter { seen.insert($0).inserted }
            } catch {
                guard case .noSuchAsset(let shown) = error.code else { throw error }
                unknown.append(shown)
            }
        }
        if known.isEmpty, let first = unknown.first { throw StoreError(.noSuchAsset(first)) }
        return (known, unknown)
    }
}

/// The body of `POST /assets/{token}/repair`.
package struct RepairBody: Codable {
    /// Whether only the lengths of files are checked.
    package var quick: Bool?
    /// Whether a different stream at the origin replaces the stored one.
    package var acceptChanges: Bool?

    package init(quick: Bool?, acceptChanges: Bool?) {
        (self.quick, self.acceptChanges) = (quick, acceptChanges)
    }
}

/// The body of `POST /storage/prune`.
package struct PruneBody: Codable {
    package var dryRun: Bool?
    /// Bytes.
    package var free: UInt64?
    /// The classes of assets that may go.
    package var evict: [EvictionClass]?

    package init(dryRun: Bool?, free: UInt64?, evict: [EvictionClass]?) {
        (self.dryRun, self.free, self.evict) = (dryRun, free, evict)
    }
}

/// The body of `POST /assets/{token}/keys`.
package struct KeyBody: Decodable {
    package var key: String
}
