internal import AssetStore

/// The schemas of request bodies. A request that fits its schema is not refused for its form, and one that does not
/// fit is.
extension APISchemas {
    static let bodies: [(String, JSONValue)] = [
        ("AssetEdit", edit), ("Download", download), ("DownloadRequest", request),
        ("SettingsEdit", settingsEdit), ("ControlRequest", control),
        ("CancelRequest", open([("purge", flagOrNull.said("Delete the stored media, too."))])),
        (
            "RepairRequest",
            open([("quick", flagOrNull.said("Compare only the lengths of files.")), acceptChanges])
        ), ("ResumeRequest", open([acceptChanges])),
        ("RelinkRequest", open([("url", url)] + access, required: ["url"])), ("TracksRequest", tracks),
        ("ImportRequest", importing), ("PruneRequest", prune), ("LicenseRequest", licenseTerms),
        (
            "KeyRequest",
            open(
                [("key", keyPair.said("A name and a key, ID:KEY: an ID of the asset's keys, or a KID."))],
                required: ["key"])
        ),
    ]

    private static let acceptChanges = (
        "accept_changes",
        flagOrNull.said("If the origin has another stream now, it replaces the stored one.")
    )

    // MARK: Selections

    private static let languages: JSONValue = ["type": ["string", "array", "null"], "items": text]

    private static let selection: [(String, JSONValue)] = [
        ("max_bitrate", count.said("Bits a second: the largest variant not above, else the lowest.")),
        ("min_bitrate", count.said("Bits a second: the smallest variant not below, else the highest.")),
        ("max_height", count.said("Pixels; 1080 when neither this nor a bit rate is said.")),
        ("all_variants", flagOrNull),
        ("audio", languages.said("Languages, or \"all\" or \"none\"; else the stream's default.")),
        ("subtitles", languages.said("Languages, or \"all\" or \"none\"; else all.")),
        ("trick_play", flagOrNull.said("I-frame playlists and tracks of thumbnails, too.")),
    ]

    /// One limit at most.
    private static let oneBitrate: JSONValue = [
        "anyOf": [open([("max_bitrate", ["type": "null"])]), open([("min_bitrate", ["type": "null"])])]
    ]

    private static let subtitleFiles: JSONValue = [
        "type": ["array", "null"],
        "items": open(
            [
                ("source", text.said("A URL or an absolute path: WebVTT, SubRip, ASS or TTML.")),
                ("language", text.said("BCP 47.")), ("name", textOrNull),
            ], required: ["source", "language"]),
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
                ("subtitle_files", subtitleFiles), ("strict", strict),
                (
                    "remove",
                    JSONValue.object([("type", ["array", "null"]), ("items", text)]).said(
                        "Ids of renditions.")
                ),
            ])
        return ["allOf": [members, oneBitrate, ["anyOf": .array(says.map { open([$0], required: [$0.0]) })]]]
    }()

    private static let importing: JSONValue = [
        "allOf": [
            open(
                selection + [
                    ("path", matching("^/").said("A folder, or a playlist in it, on the server's machine.")),
                    ("name", nameOrNull.said("A name for people.")),
                ], required: ["path"]),
            oneBitrate,
        ]
    ]

    // MARK: Downloads

    private static let strict =
        flagOrNull.said("Refuse if the stream lacks something that you ask for, or it does not apply.")

    private static let clientID = matchingOrNull("^[!-~]{1,200}$").said(
        "A name for the request, as in the field Idempotency-Key: the same request under it answers with the same asset."
    )

    private static let meta: JSONValue = ["type": ["object", "null"], "additionalProperties": text]

    private static let terms: [(String, JSONValue)] = [
        ("purchase", flagOrNull.said("For good; the default.")),
        ("rental", spanOrSeconds.said("The length of the rental: seconds, or a time such as 30d.")),
        ("play_window", spanOrSeconds.said("The length of the play window, from the first play on.")),
    ]

    /// A purchase is no rental.
    private static let oneKind: JSONValue = [
        "anyOf": [open([("purchase", ["enum": [false, nil]])]), open([("rental", ["type": "null"])])]
    ]

    private static let headersFor = JSONValue.object([
        ("type", ["object", "null"]), ("propertyNames", hostPattern),
        ("additionalProperties", ["type": "array", "items": fieldLine]),
    ]).said("\"Name: value\" by hosts, such as *.cdn.example, also by redirect; kept sealed.")

    private static let access: [(String, JSONValue)] = [
        (
            "headers",
            JSONValue.object([("type", ["array", "null"]), ("items", fieldLine)])
                .said(
                    "\"Name: value\"; Authorization and Cookie go to the stream's own host only. Kept sealed."
                )
        ), ("headers_for", headersFor),
        ("cookies", textOrNull.said("The content of a cookie file in Netscape's format; kept sealed.")),
        ("user_agent", textOrNull),
        ("proxy", textOrNull.said("A URL.")),
        ("ca", textOrNull.said("Path of certificate authorities in PEM.")),
    ]

    private static let limits: [(String, JSONValue)] = [
        ("limit_rate", rate.said("Bytes a second, all its transfers together; 0 or null for no limit.")),
        ("schedule", schedule.said("Times of day, local, such as 22:00-06:00; or always.")),
        ("metered_ok", flagOrNull.said("Also while the connection costs by volume.")),
    ]

    private static let part: [(String, JSONValue)] = [
        (
            "from",
            secondsOrNull.said("The start of the wanted part of the presentation; whole segments are taken.")
        ),
        ("to", secondsOrNull.said("The end of the wanted part; not for a recording.")),
    ]

    private static let recording: [(String, JSONValue)] = [
        ("live", flagOrNull.said("Record a live stream.")),
        ("from_start", flagOrNull.said("Begin with the oldest segment that is listed.")),
        ("duration", spanOrSeconds.said("The length to record: seconds, or a time such as 90m.")),
    ]

    private static let download: JSONValue = {
        let own: [(String, JSONValue)] = [
            ("url", url.said("The stream's playlist.")),
            (
                "name",
                nameOrNull.said("A name for people; without it the title of the stream, or one from the URL.")
            ),
            ("meta", meta.said("Properties of your own.")),
            ("tags", tags),
            ("artwork", textOrNull.said("A URL or an absolute path.")),
            ("subtitle_files", subtitleFiles), ("priority", number64.said("The highest goes first.")),
            ("interstitials", ["enum": ["keep", "drop", nil]]),
            ("preload", flagOrNull.said("Get playlists and keys now, and media when the asset is resumed.")),
            ("strict", strict), ("client_id", clientID),
            ("allow_missing_key", flagOrNull.said("Download media whose keys can't be had.")),
            (
                "hold",
                flagOrNull.said(
                    "Wait 2 s for a resume; a stream that can't be read is refused at once, but one whose origin answers 429 or 503 is queued."
                )
            ),
        ]
        let members = own + part + recording + selection + terms + access + limits
        return ["allOf": [open(members, required: ["url"]), oneBitrate, oneKind]]
    }()

    private static let downloads: JSONValue = [
        "type": "array", "minItems": 1, "items": ["anyOf": [url, reference("Download")]],
    ]

    private static let several = open(
        [
            ("assets", downloads), ("hold", flagOrNull.said("Wait 2 s for a resume.")),
            ("next", count.said("Enter items of the list until this many are stored or on their way.")),
        ], required: ["assets"])

    private static let request: JSONValue = ["anyOf": [reference("Download"), downloads, several]]

    /// The forms in which several downloads are asked for.
    static let downloadForms: [(String, JSONValue)] = [
        ("DownloadArray", downloads), ("DownloadList", several),
    ]

    // MARK: Changes

    private static let edit = open(
        [
            ("name", nameOrNull.said("A name for people.")),
            ("priority", number64.said("The highest goes first.")),
            ("pinned", flagOrNull.said("Never evict it.")),
            ("meta", meta.said("Properties of your own, in place of those it has.")),
            ("tags", tags),
        ] + limits + access)

    private static let settingsEdit = open([
        ("max_downloads", integerOrNull(1...64).said("Assets at a time.")),
        ("transfers", integerOrNull(1...64).said("Transfers at a time for one asset, and one host.")),
        ("limit_rate", rate.said("Bytes a second, all downloads together; 0 or null for no limit.")),
        ("limit_rate_per_host", rate.said("Bytes a second from one origin; 0 or null for no limit.")),
        ("schedule", schedule.said("Times of day, local, such as 22:00-06:00; or always.")),
        ("metered_ok", flagOrNull.said("Also while the connection costs by volume.")),
        (
            "metered_interfaces",
            (["type": ["array", "null"], "items": text] as JSONValue).said(
                "Network interfaces that cost by volume; a name that ends with * stands for all that begin so."
            )
        ),
    ])

    private static let licenseTerms: JSONValue = [
        "allOf": [
            open(terms + [("via_url", urlOrNull.said("A fresh address of the same stream."))] + access)
                .adding([("additionalProperties", false)]), oneKind,
        ]
    ]

    private static let prune = open([
        ("dry_run", flagOrNull.said("Only say what would go.")), ("free", rate.said("Bytes.")),
        (
            "evict",
            JSONValue.object([
                ("type", ["array", "null"]), ("items", oneOf(EvictionClass.allCases.map(\.rawValue))),
            ]).said("Classes that may be evicted; without it those of the settings.")
        ),
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
