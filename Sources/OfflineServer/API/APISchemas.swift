internal import AssetStore

/// The schemas of the OpenAPI document (JSON Schema 2020-12).
enum APISchemas {
    static let all: [(String, JSONValue)] =
        [
            ("Token", ["type": "string", "description": "an asset's permanent name, a ULID"]),
            ("Object", ["type": "object"]), ("Text", ["type": "string"]), ("Problem", problem),
            ("Asset", asset), ("AssetList", assetList), ("Added", added),
            ("Imported", extended("Asset", [("lost", texts)])),
            ("Widened", extended("Asset", [("added", texts), ("lost", texts)])),
            ("Settings", settings), ("ControlReport", controlReport), ("Estimate", estimate),
            ("Offer", offer), ("Verification", verification), ("Storage", storage),
            ("PruneReport", pruneReport), ("License", license), ("Keys", keys),
        ] + bodies

    static let text: JSONValue = ["type": "string"]
    static let textOrNull: JSONValue = ["type": ["string", "null"]]
    static let integer: JSONValue = ["type": "integer"]
    private static let integerOrNull: JSONValue = ["type": ["integer", "null"]]
    private static let number: JSONValue = ["type": "number"]
    private static let numberOrNull: JSONValue = ["type": ["number", "null"]]
    static let flag: JSONValue = ["type": "boolean"]
    static let flagOrNull: JSONValue = ["type": ["boolean", "null"]]
    private static let object: JSONValue = ["type": "object"]
    static let texts: JSONValue = ["type": "array", "items": text]
    private static let objects: JSONValue = ["type": "array", "items": object]

    /// An object whose members are all there.
    private static func whole(_ members: [(String, JSONValue)]) -> JSONValue {
        .object([
            ("type", "object"), ("required", .array(members.map { .string($0.0) })),
            ("properties", .object(members)),
        ])
    }

    /// An object some of whose members must be there.
    static func open(_ members: [(String, JSONValue)], required: [String] = []) -> JSONValue {
        .object([
            ("type", "object"), ("properties", .object(members)),
            ("required", .array(required.map { .string($0) })),
        ])
    }

    static func oneOf(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map { .string($0) })]
    }

    private static let problem = whole([
        ("type", text), ("title", text), ("status", integer), ("detail", text), ("token", textOrNull),
    ])

    private static let state = oneOf(AssetState.allCases.map(\.rawValue))

    private static let asset = whole([
        ("token", text), ("name", text), ("source_url", text), ("playlist_url", text), ("state", state),
        ("reason", textOrNull), ("priority", integer), ("pinned", flag), ("last_played_at", textOrNull),
        ("limit_rate", integerOrNull), ("schedule", textOrNull), ("metered_ok", flag),
        ("progress", number), ("bytes", bytes),
        ("speed", numberOrNull), ("eta", numberOrNull), ("duration", number), ("time_ranges", objects),
        ("playable", playable), ("license", license), ("requested_at", text), ("started_at", textOrNull),
        ("finished_at", textOrNull), ("renditions", objects), ("subtitle_languages", texts),
        ("uses_sideband_subtitles", flag), ("poster", textOrNull), ("thumbnail", textOrNull),
        ("store_path", text), ("meta", object), ("live", ["type": ["object", "null"]]),
        ("error", ["type": ["object", "null"]]),
    ])

    private static let bytes = whole([
        ("stored", integer), ("expected", integerOrNull), ("exact", flag),
    ])

    private static let playable = whole([
        ("offline", flag), ("from_start_until", number), ("ranges", objects), ("blocked_by", texts),
    ])

    private static let license = whole([
        ("state", oneOf(["none", "valid", "expired", "revoked", "missing"])), ("kind", textOrNull),
        ("requested_at", textOrNull), ("expires_at", textOrNull), ("first_played_at", textOrNull),
        ("play_expires_at", textOrNull),
    ])

    private static let assetList = whole([
        ("assets", ["type": "array", "items": ["$ref": "#/components/schemas/Asset"]]),
        ("next", textOrNull), ("last_event", integer),
    ])

    static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// A schema with more members, all of which are there.
    private static func extended(_ name: String, _ members: [(String, JSONValue)]) -> JSONValue {
        ["allOf": [reference(name), whole(members)]]
    }

    private static let added: JSONValue = [
        "anyOf": [
            ["allOf": [reference("Asset"), open([("lost", texts)])]],
            whole([
                (
                    "assets",
                    ["type": "array", "items": whole([("token", text), ("playlist_url", text)])]
                ), ("ready", integer),
            ]),
        ]
    ]

    private static let settings = whole([
        ("max_downloads", integer), ("limit_rate", integerOrNull), ("limit_rate_per_host", integerOrNull),
        ("schedule", text), ("metered_ok", flag),
    ])

    private static let controlReport = whole([
        ("done", ["type": "array", "items": whole([("token", text), ("state", text)])]),
        (
            "refused",
            ["type": "array", "items": whole([("token", text), ("class", text), ("detail", text)])]
        ),
    ])

    private static let keys = whole([
        (
            "keys",
            [
                "type": "array",
                "items": whole([("id", text), ("format", textOrNull), ("uri", text), ("stored", flag)]),
            ]
        )
    ])

    private static let estimate = whole([
        ("low", integer), ("likely", integer), ("high", integer), ("method", text),
    ])

    private static let offer = whole([
        ("url", text), ("eligible", flag), ("reasons", texts), ("live", ["type": ["boolean", "null"]]),
        ("duration", numberOrNull), ("bitrates", ["type": "array", "items": integer]),
        ("variants", objects), ("renditions", objects), ("keys", objects),
    ])

    private static let verification = whole([
        ("token", text), ("sound", flag), ("checked", integer), ("missing", texts), ("damaged", texts),
    ])

    private static let storage = whole([
        ("bytes", integer), ("catalog_bytes", integer), ("removed_bytes", integer),
        ("free_bytes", integerOrNull), ("kinds", object), ("limits", object), ("assets", objects),
        ("orphans", objects),
    ])

    private static let pruneReport = whole([
        ("dry_run", flag), ("bytes", integer), ("enough", flag), ("evicted", objects), ("orphans", objects),
    ])
}
