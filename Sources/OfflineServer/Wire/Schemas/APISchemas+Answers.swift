internal import AssetStore

/// The schemas of answers that are no asset.
extension APISchemas {
    static let answers: [(String, JSONValue)] = [
        ("Settings", settings), ("ControlReport", controlReport), ("Estimate", estimate), ("Offer", offer),
        ("Verification", verification), ("Storage", storage), ("PruneReport", pruneReport), ("Keys", keys),
        ("Removed", whole([("removed", reference("Token"))])), ("Orphan", orphan), ("Event", message),
        ("Progress", progress), ("ActivityList", activityList), ("ActivityChange", activityChange),
    ]

    private static let activityList = whole([
        (
            "assets",
            list(
                whole([
                    ("token", reference("Token")), ("speed", numberOrNull.said("Bytes a second.")),
                    ("in_flight", bytes), ("activity", activityOrNull),
                ]))
        )
    ])

    private static let activityOrNull: JSONValue = ["anyOf": [reference("Activity"), ["type": "null"]]]

    private static let activityChange = whole([
        ("token", reference("Token")), ("activity", activityOrNull),
    ]).said("The data of the event \"activity\" of GET /events, which has no id and is not replayed.")

    private static let settings = whole([
        ("max_downloads", integer.said("Assets that are downloaded at a time.")),
        ("transfers", integer.said("Transfers at a time for one asset, and one host.")),
        ("limit_rate", integerOrNull.said("Bytes a second, all downloads together.")),
        ("limit_rate_per_host", integerOrNull.said("Bytes a second from one origin.")),
        ("schedule", text.said("Times of day, local, or always.")),
        ("metered_ok", flag.said("Whether downloads run while the connection costs by volume.")),
        ("metered_interfaces", texts.said("Network interfaces that cost by volume.")),
    ])

    private static let controlReport = whole([
        ("done", list(whole([("token", reference("Token")), ("state", text)]))),
        (
            "refused",
            list(whole([("token", reference("Token")), ("class", text), ("detail", text)]))
        ),
    ])

    private static let keys = whole([
        (
            "keys",
            list(
                whole([
                    ("id", text), ("format", textOrNull.said("KEYFORMAT; null for identity.")),
                    ("uri", text.said("The address of the stream, without its query.")),
                    ("stored", flag.said("Whether the store has it.")),
                    (
                        "usable",
                        flag.said("Whether it can be unsealed, too; one that can't be counts as missing.")
                    ),
                ]))
        )
    ])

    private static let estimate = whole([
        ("low", integer.said("Bytes, at least.")), ("likely", integer.said("Bytes, probably.")),
        ("high", integer.said("Bytes, at most.")),
        ("method", text.said("byte-ranges, sampled, average-bandwidth or bandwidth, the most exact first.")),
        ("key_providers", keyProviders),
        ("left_out", list(reference("LeftOut")).said("The parts of the request that are not in the stream.")),
    ])

    private static let keyProviders = texts.said(
        "The names of the key providers that a download would ask; nobody is asked for this.")

    /// A tag with its attributes, verbatim.
    private static let listing: JSONValue = [
        "type": "object", "required": ["tag"], "additionalProperties": text,
        "description":
            "A tag of the playlist: its name as tag, its attributes as they stand there, and of a variant the address after it, without its query, as uri.",
    ]

    private static let offer = whole([
        ("url", text), ("eligible", flag.said("Whether it can be downloaded.")),
        ("reasons", texts.said("The reasons why it can't be downloaded.")), ("live", flagOrNull),
        ("duration", numberOrNull.said("Seconds.")), ("bitrates", list(integer.said("Bits a second."))),
        ("variants", list(listing)), ("renditions", list(listing)), ("keys", list(listing)),
        (
            "key_providers",
            texts.said(
                "The names of the key providers that a download would ask by the first variant; nobody is asked for this."
            )
        ), ("lost", texts.said("Variants whose playlists could not be read, with the reason.")),
    ])

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
    ])

    private static let storage = whole([
        ("bytes", integer.said("Bytes of media of all assets.")), ("catalog_bytes", bytes),
        ("removed_bytes", integer.said("Bytes that are being deleted.")),
        ("free_bytes", integerOrNull.said("Bytes that the file system has left.")),
        ("kinds", ["type": "object", "additionalProperties": bytes]),
        (
            "limits",
            whole([
                ("quota", integerOrNull.said("Bytes.")), ("keep_free", integerOrNull.said("Bytes.")),
                ("evict", texts.said("What may go when room is wanted, in this order.")),
            ])
        ), ("assets", list(share)), ("orphans", list(reference("Orphan"))),
    ])

    private static let share = whole([
        ("token", reference("Token")), ("name", text), ("bytes", bytes), ("pinned", flag),
        ("last_played_at", timeOrNull), ("evictable", textOrNull.said("As what it may go, if it may.")),
    ])

    private static let orphan = whole([
        ("path", text.said("Below the store's folder.")), ("bytes", bytes),
        ("kind", oneOf(["asset", "rendition", "removed", "foreign"])), ("token", textOrNull),
    ]).said("A file or folder in the store that belongs to no asset.")

    private static let pruneReport = whole([
        ("dry_run", flag), ("bytes", integer.said("Bytes that are, or would be, freed.")),
        ("enough", flag.said("Whether that is as much as requested.")),
        (
            "evicted",
            list(whole([("token", reference("Token")), ("name", text), ("bytes", bytes), ("as", text)]))
        ), ("orphans", list(reference("Orphan"))),
    ])

    private static let message = whole([
        ("id", integer.said("The number of the event; later events have higher ones.")),
        ("type", oneOf(AssetEvent.Kind.allCases.map(\.rawValue))), ("at", time),
        ("token", reference("Token")), ("from", textOrNull.said("The state before.")),
        ("state", textOrNull.said("The state after the event.")), ("reason", textOrNull),
        ("error", ["anyOf": [reference("Failure"), ["type": "null"]]]),
    ]).said("The data of an event of GET /events; the event's name is its type.")

    private static let progress = whole([
        ("token", reference("Token")), ("progress", number.said("From 0 to 1.")), ("stored", bytes),
        ("expected", integerOrNull.said("Bytes.")), ("speed", numberOrNull.said("Bytes a second.")),
    ]).said("The data of the event \"progress\" of GET /events, which has no id and is not replayed.")
}
