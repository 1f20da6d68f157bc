internal import AssetStore

/// The answer of `storage`.
struct StorageDocument {
    private let use: StorageUse

    init(_ use: StorageUse) { self.use = use }

    var json: JSONValue {
        [
            "bytes": .integer(use.assets.reduce(0) { $0 + $1.bytes }),
            "catalog_bytes": .integer(use.catalogBytes),
            "free_bytes": JSONValue(use.freeBytes),
            "assets": .array(
                use.assets.map {
                    [
                        "token": .string($0.token.description), "name": .string($0.name),
                        "bytes": .integer($0.bytes),
                    ]
                }), "orphans": .array(use.orphans.map { .string($0) }),
        ]
    }
}

/// The answer of `verify` for one asset.
struct VerificationDocument {
    private let result: Verification

    init(_ result: Verification) { self.result = result }

    var json: JSONValue {
        [
            "token": .string(result.token.description), "sound": .bool(result.isSound),
            "checked": JSONValue(result.checked), "missing": .array(result.missing.map { .string($0) }),
            "damaged": .array(result.damaged.map { .string($0) }),
        ]
    }
}
