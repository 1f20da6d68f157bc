internal import StoreReading

extension StorageDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Storage", storage), ("Orphan", orphan),
        ]

        private static let storage = whole([
            ("bytes", integer.said("Bytes of media of all assets.")), ("catalog_bytes", bytes),
            ("removed_bytes", integer.said("Bytes that are being deleted.")),
            ("free_bytes", integerOrNull.said("Free bytes of the store's file system.")),
            ("kinds", ["type": "object", "additionalProperties": bytes]),
            (
                "limits",
                whole([
                    ("quota", integerOrNull.said("Bytes.")), ("keep_free", integerOrNull.said("Bytes.")),
                    ("evict", texts.said("The classes that may be evicted to make room, in this order.")),
                ])
            ), ("assets", list(share)), ("orphans", list(reference("Orphan"))),
        ])

        private static let share = whole([
            ("token", reference("Token")), ("name", text), ("bytes", bytes), ("pinned", flag),
            ("last_played_at", timeOrNull),
            (
                "evictable",
                textOrNull.said("The class by which the asset may be evicted; null if it may not be.")
            ),
        ])

        private static let orphan = whole([
            ("path", text.said("Below the store's folder.")), ("bytes", bytes),
            ("kind", oneOf(["asset", "rendition", "removed", "foreign"])), ("token", textOrNull),
        ]).said("A file or folder in the store that belongs to no asset.")
    }
}

extension PruneDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("PruneReport", report)
        ]

        private static let report = whole([
            ("dry_run", flag), ("bytes", integer.said("Bytes that are, or would be, freed.")),
            ("enough", flag.said("Whether that is as much as requested.")),
            (
                "evicted",
                list(whole([("token", reference("Token")), ("name", text), ("bytes", bytes), ("as", text)]))
            ), ("orphans", list(reference("Orphan"))),
        ])
    }
}

extension VerificationDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Verification", verification)
        ]

        private static let verification = whole([
            ("token", reference("Token")),
            ("sound", flag.said("Whether all stored files are there, and unchanged.")),
            (
                "health",
                oneOf(Health.Level.allCases.map(\.rawValue)).said(
                    "The health of the asset, which may lack more than files.")
            ),
            ("checked", integer.said("Files.")), ("missing", texts.said("Paths below the asset's folder.")),
            (
                "damaged",
                texts.said("Paths below the asset's folder; keys/ID.key is a key that can't be unsealed.")
            ),
            ("undecodable", texts.said("Unchanged files that no player can decode.")),
            ("objects", integer.said("Objects that were read from the bucket of the store's media.")),
            (
                "media_place",
                textOrNull.said("The bucket of the store's media; null when they are in its folder.")
            ),
            (
                "copies",
                texts.said(
                    "The missing or damaged files of which the store's folder has a sound copy: only the object in the bucket is missing or damaged, and repair restores it from the copy."
                )
            ),
            (
                "returned",
                texts.said(
                    "Files that were missing or damaged and were put back, from a backup for example; they are served again."
                )
            ),
        ])
    }
}
