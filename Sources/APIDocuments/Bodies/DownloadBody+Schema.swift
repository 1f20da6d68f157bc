internal import StoreReading

extension DownloadBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Download", download)
        ]

        private static let clientID = matchingOrNull("^[!-~]{1,200}$").said(
            "A name for the request, as in the field Idempotency-Key: the same request under it answers with the same asset."
        )

        private static let part: [(String, JSONValue)] = [
            (
                "from",
                secondsOrNull.said(
                    "The start of the wanted part of the presentation; whole segments are taken.")
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
                    nameOrNull.said(
                        "A name for people; without it the title of the stream, or one from the URL.")
                ),
                ("meta", meta.said("Properties of your own.")), ("tags", tags),
                ("artwork", textOrNull.said("A URL or an absolute path.")),
                ("subtitle_files", subtitleFiles), ("priority", number64.said("The highest goes first.")),
                ("interstitials", ["enum": ["keep", "drop", nil]]),
                (
                    "preload",
                    flagOrNull.said("Get playlists and keys now, and media when the asset is resumed.")
                ),
                ("strict", strict), ("client_id", clientID),
                ("allow_missing_key", flagOrNull.said("Download media even if their keys can't be fetched.")),
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
    }
}
