internal import AssetStore

/// What requests have in their bodies. A request that fits its schema is not refused for its form, and one that does not
/// fit is.
extension APISchemas {
    static let bodies: [(String, JSONValue)] = [
        ("AssetEdit", edit), ("Download", download), ("DownloadRequest", request),
        ("SettingsEdit", settingsEdit), ("ControlRequest", control),
        ("CancelRequest", open([("purge", flagOrNull)])),
        ("RelinkRequest", open([("url", url)], required: ["url"])), ("TracksRequest", tracks),
        ("ImportRequest", importing), ("PruneRequest", prune), ("LicenseRequest", licenseTerms),
        ("KeyRequest", open([("key", keyPair)], required: ["key"])),
    ]

    // MARK: Selections

    private static let languages: JSONValue = ["type": ["string", "array", "null"], "items": text]

    private static let selection: [(String, JSONValue)] = [
        ("max_bitrate", count), ("min_bitrate", count), ("max_height", count), ("all_variants", flagOrNull),
        ("audio", languages), ("subtitles", languages), ("trick_play", flagOrNull),
    ]

    /// One limit at most.
    private static let oneBitrate: JSONValue = [
        "anyOf": [open([("max_bitrate", ["type": "null"])]), open([("min_bitrate", ["type": "null"])])]
    ]

    private static let subtitleFiles: JSONValue = [
        "type": ["array", "null"],
        "items": open(
            [("source", text), ("language", text), ("name", textOrNull)], required: ["source", "language"]),
    ]

    /// At least one member says something.
    private static let tracks: JSONValue = {
        let some: JSONValue = ["type": "array", "minItems": 1]
        let says: [(String, JSONValue)] = [
            ("max_bitrate", integer), ("min_bitrate", integer), ("max_height", integer),
            ("all_variants", ["const": true]), ("trick_play", ["const": true]),
            ("audio", ["type": ["string", "array"]]), ("subtitles", ["type": ["string", "array"]]),
            ("subtitle_files", some), ("remove", some),
        ]
        let members = open(
            selection + [
                ("subtitle_files", subtitleFiles), ("remove", ["type": ["array", "null"], "items": text]),
            ])
        return ["allOf": [members, oneBitrate, ["anyOf": .array(says.map { open([$0], required: [$0.0]) })]]]
    }()

    private static let importing: JSONValue = [
        "allOf": [
            open(selection + [("path", matching("^/")), ("name", nameOrNull)], required: ["path"]),
            oneBitrate,
        ]
    ]

    // MARK: Downloads

    private static let meta: JSONValue = ["type": ["object", "null"], "additionalProperties": text]

    private static let terms: [(String, JSONValue)] = [
        ("purchase", flagOrNull), ("rental", spanOrSeconds), ("play_window", spanOrSeconds),
    ]

    /// A purchase is no rental.
    private static let oneKind: JSONValue = [
        "anyOf": [open([("purchase", ["enum": [false, nil]])]), open([("rental", ["type": "null"])])]
    ]

    private static let access: [(String, JSONValue)] = [
        ("headers", ["type": ["array", "null"], "items": fieldLine]), ("cookies", textOrNull),
        ("user_agent", textOrNull), ("proxy", textOrNull), ("ca", textOrNull), ("limit_rate", rate),
        ("schedule", schedule), ("metered_ok", flagOrNull),
    ]

    private static let download: JSONValue = {
        let own: [(String, JSONValue)] = [
            ("url", url), ("name", nameOrNull), ("meta", meta), ("artwork", textOrNull),
            ("subtitle_files", subtitleFiles), ("priority", number64),
            ("interstitials", ["enum": ["keep", "drop", nil]]), ("live", flagOrNull),
            ("from_start", flagOrNull), ("duration", spanOrSeconds), ("preload", flagOrNull),
            ("allow_missing_key", flagOrNull), ("hold", flagOrNull),
        ]
        return ["allOf": [open(own + selection + terms + access, required: ["url"]), oneBitrate, oneKind]]
    }()

    private static let downloads: JSONValue = [
        "type": "array", "minItems": 1, "items": ["anyOf": [url, reference("Download")]],
    ]

    private static let request: JSONValue = [
        "anyOf": [
            reference("Download"), downloads,
            open([("assets", downloads), ("hold", flagOrNull), ("next", count)], required: ["assets"]),
        ]
    ]

    // MARK: Changes

    private static let edit = open([
        ("name", nameOrNull), ("priority", number64), ("pinned", flagOrNull), ("limit_rate", rate),
        ("schedule", schedule), ("metered_ok", flagOrNull), ("meta", meta),
    ])

    private static let settingsEdit = open([
        ("max_downloads", integerOrNull(1...64)), ("limit_rate", rate), ("limit_rate_per_host", rate),
        ("schedule", schedule), ("metered_ok", flagOrNull),
    ])

    private static let licenseTerms: JSONValue = [
        "allOf": [
            open(terms + [("via_url", textOrNull)]).adding([("additionalProperties", false)]), oneKind,
        ]
    ]

    private static let prune = open([
        ("dry_run", flagOrNull), ("free", rate),
        ("evict", ["type": ["array", "null"], "items": oneOf(EvictionClass.allCases.map(\.rawValue))]),
    ])

    /// Some assets or all, and a priority where one is given.
    private static let control: JSONValue = {
        let verbs = oneOf(["pause", "resume", "cancel", "remove", "pin", "unpin"])
        let scopes: [(String, [(String, JSONValue)])] = [
            ("tokens", [("tokens", texts), ("all", ["enum": [false, nil]])]),
            ("all", [("tokens", ["type": "null"]), ("all", ["const": true])]),
        ]
        let choices = scopes.flatMap { scope, members in
            let members = members + [("purge", flagOrNull)]
            return [
                open(members + [("action", verbs), ("priority", number64)], required: ["action", scope]),
                open(
                    members + [("action", ["const": "prioritize"]), ("priority", integer(.min ... .max))],
                    required: ["action", "priority", scope]),
            ]
        }
        return ["anyOf": .array(choices)]
    }()
}
