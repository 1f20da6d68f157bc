internal import AssetStore

/// The schemas of the OpenAPI document (JSON Schema 2020-12).
enum APISchemas {
    static let all: [(String, JSONValue)] =
        [
            ("Token", ["type": "string", "description": "an asset's permanent name, a ULID"]),
            ("Object", ["type": "object"]), ("Text", ["type": "string"]), ("Problem", problem),
            ("Asset", asset), ("AssetList", assetList), ("AssetEdit", edit), ("Download", download),
            ("DownloadRequest", request), ("Added", added), ("Settings", settings),
            ("SettingsEdit", settingsEdit),
            ("ControlRequest", control), ("ControlReport", controlReport), ("CancelRequest", cancel),
            ("RelinkRequest", relink), ("TracksRequest", tracks), ("ImportRequest", importing),
            ("Estimate", estimate),
            ("Offer", offer), ("Verification", verification), ("Storage", storage), ("PruneRequest", prune),
            ("PruneReport", pruneReport), ("License", license),
            ("LicenseRequest", ["type": "object"]),
        ]

    private static let text: JSONValue = ["type": "string"]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let integer: JSONValue = ["type": "integer"]
    private static let integerOrNull: JSONValue = ["type": ["integer", "null"]]
    private static let number: JSONValue = ["type": "number"]
    private static let numberOrNull: JSONValue = ["type": ["number", "null"]]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let flagOrNull: JSONValue = ["type": ["boolean", "null"]]
    private static let rate: JSONValue = ["type": ["integer", "null"], "minimum": 0]
    private static let object: JSONValue = ["type": "object"]
    private static let texts: JSONValue = ["type": "array", "items": text]
    private static let objects: JSONValue = ["type": "array", "items": object]

    /// An object whose members are all there.
    private static func whole(_ members: [(String, JSONValue)]) -> JSONValue {
        .object([
            ("type", "object"), ("required", .array(members.map { .string($0.0) })),
            ("properties", .object(members)),
        ])
    }

    /// An object some of whose members must be there.
    private static func open(_ members: [(String, JSONValue)], required: [String] = []) -> JSONValue {
        .object([
            ("type", "object"), ("properties", .object(members)),
            ("required", .array(required.map { .string($0) })),
        ])
    }

    private static func oneOf(_ values: [String]) -> JSONValue {
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

    private static let edit = open([
        ("name", textOrNull), ("priority", integerOrNull), ("pinned", flagOrNull), ("limit_rate", rate),
        ("schedule", textOrNull),
        ("metered_ok", flagOrNull),
        ("meta", ["type": ["object", "null"], "additionalProperties": text]),
    ])

    private static let languages: JSONValue = ["type": ["string", "array", "null"], "items": text]

    private static let selection: [(String, JSONValue)] = [
        ("max_bitrate", integerOrNull), ("min_bitrate", integerOrNull), ("max_height", integerOrNull),
        ("all_variants", ["type": ["boolean", "null"]]), ("audio", languages), ("subtitles", languages),
        ("trick_play", ["type": ["boolean", "null"]]),
    ]

    private static let tracks = open(
        selection + [
            ("subtitle_files", ["type": ["array", "null"], "items": object]),
            ("remove", ["type": ["array", "null"], "items": text]),
        ])

    private static let download = open(
        selection + [
            ("url", text), ("name", textOrNull),
            ("meta", ["type": ["object", "null"], "additionalProperties": text]), ("artwork", textOrNull),
            ("priority", integerOrNull), ("interstitials", ["enum": ["keep", "drop", nil]]),
            ("live", ["type": ["boolean", "null"]]), ("from_start", ["type": ["boolean", "null"]]),
            ("duration", ["type": ["integer", "string", "null"]]),
            ("headers", ["type": ["array", "null"], "items": text]), ("cookies", textOrNull),
            ("user_agent", textOrNull), ("proxy", textOrNull), ("ca", textOrNull),
            ("limit_rate", rate), ("schedule", textOrNull), ("metered_ok", flagOrNull),
        ], required: ["url"])

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    private static let downloads: JSONValue = [
        "type": "array", "items": ["anyOf": [text, reference("Download")]],
    ]

    private static let request: JSONValue = [
        "anyOf": [
            reference("Download"), downloads,
            open(
                [
                    ("assets", downloads), ("hold", flagOrNull),
                    ("next", ["type": ["integer", "null"], "minimum": 1]),
                ], required: ["assets"]),
        ]
    ]

    private static let added: JSONValue = [
        "anyOf": [
            reference("Asset"),
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

    private static let settingsEdit = open([
        ("max_downloads", ["type": ["integer", "null"], "minimum": 1, "maximum": 64]), ("limit_rate", rate),
        ("limit_rate_per_host", rate), ("schedule", textOrNull), ("metered_ok", flagOrNull),
    ])

    private static let control = open(
        [
            ("action", oneOf(["pause", "resume", "cancel", "remove", "pin", "unpin", "prioritize"])),
            ("tokens", texts), ("all", flag), ("purge", flag), ("priority", integerOrNull),
        ], required: ["action"])

    private static let controlReport = whole([("done", objects), ("refused", objects)])
    private static let cancel = open([("purge", ["type": ["boolean", "null"]])])
    private static let relink = open([("url", text)], required: ["url"])
    private static let importing = open(
        selection + [("path", text), ("name", textOrNull)], required: ["path"])

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

    private static let prune = open([
        ("dry_run", ["type": ["boolean", "null"]]), ("free", ["type": ["integer", "null"], "minimum": 0]),
        (
            "evict",
            [
                "type": ["array", "null"],
                "items": oneOf(EvictionClass.allCases.map(\.rawValue)),
            ]
        ),
    ])

    private static let pruneReport = whole([
        ("dry_run", flag), ("bytes", integer), ("enough", flag), ("evicted", objects), ("orphans", objects),
    ])
}
