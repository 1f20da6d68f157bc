package import StoreReading

/// The answer of `storage`.
package struct StorageDocument {
    private let use: StorageUse

    package init(_ use: StorageUse) { self.use = use }

    package var json: JSONValue {
        [
            "bytes": .integer(use.kinds.values.reduce(0, +)),
            "catalog_bytes": .integer(use.catalogBytes), "removed_bytes": .integer(use.removedBytes),
            "free_bytes": JSONValue(use.freeBytes), "kinds": kinds, "limits": limits,
            "assets": .array(use.assets.map(Self.json)), "orphans": .array(use.orphans.map(Self.json)),
        ]
    }

    private var kinds: JSONValue {
        .object(
            use.kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                ($0.key.rawValue, .integer($0.value))
            })
    }

    private var limits: JSONValue {
        [
            "quota": JSONValue(use.policy.quota.map { Int64(clamping: $0) }),
            "keep_free": JSONValue(use.cushion), "evict": .array(classes.map { .string($0) }),
        ]
    }

    /// The classes of assets that may be evicted, in the order of eviction.
    package var classes: [String] {
        EvictionClass.allCases.filter(use.policy.evict.contains).map(\.rawValue)
    }

    private static func json(_ share: StorageUse.Share) -> JSONValue {
        [
            "token": .string(share.token.description), "name": .string(share.name),
            "bytes": .integer(share.bytes), "pinned": .bool(share.isPinned),
            "last_played_at": JSONValue(share.lastPlayedAt?.rfc3339),
            "evictable": JSONValue(share.evictionClass?.rawValue),
        ]
    }

    package static func json(_ orphan: Orphan) -> JSONValue {
        [
            "path": .string(orphan.path), "bytes": .integer(orphan.bytes),
            "kind": .string(orphan.kind.rawValue), "token": JSONValue(orphan.token?.description),
        ]
    }
}

/// The answer of `storage prune`.
package struct PruneDocument {
    private let report: PruneReport
    private let isDryRun: Bool

    package init(_ report: PruneReport, isDryRun: Bool) { (self.report, self.isDryRun) = (report, isDryRun) }

    package var json: JSONValue {
        [
            "dry_run": .bool(isDryRun), "bytes": .integer(report.bytes), "enough": .bool(report.isEnough),
            "evicted": .array(
                report.evicted.map {
                    [
                        "token": .string($0.token.description), "name": .string($0.name),
                        "bytes": .integer($0.bytes), "as": .string($0.evictionClass.rawValue),
                    ]
                }), "orphans": .array(report.orphans.map(StorageDocument.json)),
        ]
    }
}

/// The answer of `verify` for one asset.
package struct VerificationDocument {
    private let result: Verification

    package init(_ result: Verification) { self.result = result }

    package var json: JSONValue {
        [
            "token": .string(result.token.description), "sound": .bool(result.isSound),
            "health": .string(result.health.rawValue),
            "checked": JSONValue(result.checked), "missing": .array(result.missing.map { .string($0) }),
            "damaged": .array(result.damaged.map { .string($0) }),
            "undecodable": .array(result.undecodable.map { .string($0) }),
            "objects": JSONValue(result.objects), "media_place": JSONValue(result.mediaPlace),
            "copies": .array(result.copies.map { .string($0) }),
            "returned": .array(result.returned.map { .string($0) }),
        ]
    }
}
