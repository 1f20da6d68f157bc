internal import StoreReading

extension AssetDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Asset", asset), ("Imported", extended("Asset", [lost])),
            (
                "Widened",
                extended("Asset", [("added", texts.said("Ids of the renditions that were added.")), lost])
            ),
            (
                "Mended",
                extended("Asset", [("mending", flag.said("Whether anything was missing or damaged."))])
            ),
            ("Relinked", extended("Asset", [("compared", compared)])), ("Rendition", rendition),
            ("TimeRange", range), ("Playable", playable), ("Failure", failure), ("Recording", recording),
            ("Room", room), ("LeftOut", leftOut),
        ]

        private static let compared = flag.said(
            "False if the asset is complete and none of its stored segments could be compared with the new address."
        )

        private static let state = oneOf(AssetState.allCases.map(\.rawValue))

        private static let asset = whole(identity + transfer + content)

        private static let identity: [(String, JSONValue)] = [
            ("token", reference("Token")), ("name", text),
            ("source_url", text.said("The address of the stream, without its query.")),
            (
                "playlist_url",
                text.said("The URL for players: permanent, and playable while the download runs.")
            ),
            ("state", state.said("The state of its download; `playable` says whether it plays.")),
            (
                "reason",
                textOrNull.said(
                    "The reason of the state: slot (other downloads go first), network, origin (it has asked for a pause, or could not be read), disk, files (too many are open), bucket (it accepts no media), metered, schedule, engine (no engine works on the store), user, preloaded, evicted, or an error's class."
                )
            ),
            (
                "waits_until",
                timeOrNull.said("With reason origin: the end of the pause that the origin has asked for.")
            ),
            ("wait", textOrNull.said("The reason why it waits, and the advice, for people.")),
            ("room", orNull("Room")),
            ("activity", orNull("Activity")),
            ("priority", integer.said("The highest goes first.")),
            ("pinned", flag.said("Whether it is never evicted.")), ("last_played_at", timeOrNull),
        ]

        private static let transfer: [(String, JSONValue)] = [
            ("limit_rate", integerOrNull.said("Bytes a second, all its transfers together.")),
            ("schedule", textOrNull.said("Its own times of day, local; null for those of the settings.")),
            ("metered_ok", flag.said("Whether it is downloaded on a metered connection, too.")),
            ("progress", number.said("From 0 to 1.")),
            (
                "bytes",
                whole([
                    ("stored", integer), ("expected", integerOrNull.said("When complete.")),
                    ("exact", flag.said("Whether \"expected\" is exact and not an estimate.")),
                    ("in_flight", integer.said("Bytes that have arrived and are not stored yet.")),
                ])
            ), ("speed", numberOrNull.said("Bytes a second in the last seconds; null when none came.")),
            ("eta", numberOrNull.said("Seconds until it is complete at this speed.")),
        ]

        private static let content: [(String, JSONValue)] = [
            ("duration", number.said("Seconds.")),
            (
                "time_ranges",
                list(reference("TimeRange")).said(
                    "The stretches that every rendition has stored, whether or not its license lets it play.")
            ),
            ("playable", reference("Playable")), ("license", reference("License")),
            ("requested_at", time), ("started_at", timeOrNull), ("finished_at", timeOrNull),
            ("renditions", list(reference("Rendition"))),
            (
                "subtitle_languages",
                texts.said("BCP 47; /assets/TOKEN/subtitles/LANGUAGE.vtt is a whole track.")
            ),
            ("uses_sideband_subtitles", flag), ("poster", textOrNull.said("A URL.")),
            ("thumbnail", textOrNull.said("A URL.")),
            ("store_path", text.said("Its folder, below the store's.")),
            ("meta", ["type": "object", "additionalProperties": text]), ("live", orNull("Recording")),
            ("recording", flag.said("Whether a live stream is being recorded.")),
            ("lost", texts.said("The streams that could not be read and are left out, with the reason.")),
            (
                "redirects",
                texts.said("The addresses that redirects led to from the source, without queries.")
            ),
            ("error", orNull("Failure")),
            ("health", oneOf(Health.Level.allCases.map(\.rawValue)).said("The worst of its problems.")),
            ("problems", list(HealthReport.schema)),
            ("left_out", list(reference("LeftOut")).said("The parts of the request that it lacks.")),
            (
                "client_id",
                textOrNull.said("The name by which its client knows the request (Idempotency-Key).")
            ),
            ("tags", texts.said("Words of your own; tag:WORD stands for all assets with it.")),
            ("position", numberOrNull.said("How far it was watched, in seconds; null when it was not.")),
            ("watched", flag),
        ]

        private static let leftOut = whole([
            ("kind", oneOf(LeftOut.Kind.allCases.map(\.rawValue))),
            ("wanted", text.said("What was asked for.")),
            ("offered", texts.said("The choices that the stream has; empty where there is no choice.")),
        ])

        private static let range = whole([
            ("start", number.said("Seconds of the presentation.")), ("duration", number.said("Seconds.")),
        ])

        private static let playable = whole([
            ("offline", flag.said("Whether all of it plays without the network.")),
            ("from_start_until", number.said("Seconds that play from the start on.")),
            ("ranges", list(reference("TimeRange")).said("The stretches that play without a network.")),
            (
                "blocked_by",
                texts.said("Such as segments-missing, key-missing, license-expired, not-resolved.")
            ),
            (
                "media_place",
                textOrNull.said(
                    "The bucket that holds media which the store's folder lacks: playing needs a connection to the bucket, not to the origin."
                )
            ),
        ])

        private static let failure = whole([
            (
                "class",
                text.said("http, auth, key, disk, parse, integrity, network, unsupported, usage or engine.")
            ),
            ("code", textOrNull.said("The error's name, such as stream-changed.")), ("message", text),
            ("url", textOrNull),
            ("retryable", flag.said("Whether the same may succeed later.")), ("at", time),
        ])

        private static let rendition = whole([
            ("id", text.said("Part of its URLs.")), ("type", oneOf(RenditionKind.allCases.map(\.rawValue))),
            ("language", textOrNull.said("BCP 47.")), ("name", textOrNull),
            ("bandwidth", integerOrNull.said("Bits a second.")),
            ("resolution", textOrNull.said("Such as 1280x720.")),
            ("codecs", textOrNull), ("channels", textOrNull.said("CHANNELS, such as 6 or 16/JOC.")),
            ("segments", integer), ("stored_segments", integer), ("bytes", bytes),
            ("complete", flag),
            (
                "disguise",
                textOrNull.said("The wrapping that was taken off its segments, such as PNG or gzip.")
            ),
            ("error", textOrNull.said("The reason why it was given up.")),
        ])

        private static let room = whole([
            ("needed", integerOrNull.said("Bytes that it still needs; null while that is not known.")),
            ("free", integer.said("Bytes that it can have under the limit.")),
            ("limit", oneOf(RoomShortage.Limit.allCases.map(\.rawValue))),
            (
                "size",
                integer.said(
                    "Bytes of the limit: the quota, the room left on the file system, or the reserve.")
            ),
        ]).said("With reason disk: the limit for which it waits.")

        private static let recording = whole([
            ("recording", flag.said("Whether the recording still runs.")), ("ended_at", timeOrNull),
            ("end", textOrNull.said("Why it ended: ended, duration, limit, stopped, stalled or gone.")),
            (
                "gaps",
                list(
                    whole([
                        ("rendition", text), ("number", integer.said("Media sequence number of the first.")),
                        ("count", integer.said("Segments.")), ("start", numberOrNull),
                        ("duration", numberOrNull),
                        ("reason", text.said("window, interrupted, restarted or lost.")), ("at", time),
                    ]))
            ),
        ]).said("The recording of a live stream.")
    }
}
