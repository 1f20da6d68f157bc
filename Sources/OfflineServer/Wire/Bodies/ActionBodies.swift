package import AssetStore

/// The body of `POST /assets/{token}/resume`.
package struct ResumeBody: Codable {
    /// Whether a different stream at the origin replaces the stored one.
    var acceptChanges: Bool?

    package init(acceptChanges: Bool?) { self.acceptChanges = acceptChanges }
}

/// The body of `POST /assets/{token}/cancel`; other actions have no members.
struct CancelBody: Decodable {
    var purge: Bool?
}

/// The body of `POST /control`.
package struct ControlBody: Codable {
    var action: String
    var tokens: [String]?
    var all: Bool?
    var purge: Bool?
    var priority: Int?

    package init(action: String, tokens: [String]?, purge: Bool? = nil, priority: Int? = nil) {
        (self.action, self.tokens, self.purge, self.priority) = (action, tokens, purge, priority)
    }

    /// The assets that are named, by their tokens or by tags; `nil` for all.
    func named(in reader: StoreReader) throws(StoreError) -> [AssetToken]? {
        guard let tokens else { return nil }
        return try TokenArgument.expand(tokens, reader)
    }
}

/// The body of `POST /assets/{token}/repair`.
package struct RepairBody: Codable {
    /// Whether only the lengths of files are checked.
    var quick: Bool?
    /// Whether a different stream at the origin replaces the stored one.
    var acceptChanges: Bool?

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
struct KeyBody: Decodable {
    var key: String
}
