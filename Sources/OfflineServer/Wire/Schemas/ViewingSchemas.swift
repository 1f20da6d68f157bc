internal import AssetStore

/// The schemas of positions, plays, timelines and searches.
enum ViewingSchemas: Described {
    static let schemas: [(String, JSONValue)] = [
        ("Position", position), ("Plays", plays),
        ("Timeline", timeline), ("SearchResult", searchResult), ("Checkup", checkup),
        ("Session", session), ("Sessions", sessions), ("SignInCode", signInCode),
    ]

    private static let session = whole([
        ("id", text), ("name", text.said("The device.")), ("created_at", time),
        ("last_seen_at", time.said("To the minute.")),
        ("current", flag.said("Whether it is the one that asks.")),
    ])

    private static let sessions = whole([
        ("sessions", list(reference("Session"))),
        (
            "required",
            flag.said("Whether the server answers only those who show the token or have signed in.")
        ),
    ])

    private static let signInCode = whole([
        ("code", text), ("expires_at", time),
        ("urls", texts.said("Addresses of the page with the code in the fragment, for a QR code.")),
    ])

    private static let position = whole([
        ("position", numberOrNull.said("Seconds from the beginning; null until a player has told one.")),
        ("watched", flag), ("at", timeOrNull.said("When it was told last.")),
    ])

    private static let plays = whole([
        (
            "plays",
            list(
                whole([
                    ("began_at", time),
                    ("ended_at", time.said("Of the last segment asked for, by some seconds.")),
                    ("until", number.said("Where the last segment ended that was asked for, in seconds.")),
                ]))
        )
    ])

    private static let checkup = whole([
        ("findings", list(whole([("check", text), ("ok", flag), ("detail", text.said("For people."))])))
    ])

    private static let run = JSONValue.object([("type", "array"), ("items", integer)])

    private static let timeline = whole([
        ("token", reference("Token")), ("duration", number.said("Seconds.")),
        ("live", flag.said("Whether it is being recorded, so that more will come.")), ("complete", flag),
        ("renditions", list(timelineRendition)),
    ])

    private static let timelineRendition = whole([
        ("id", text), ("type", text), ("language", textOrNull), ("name", textOrNull),
        ("bandwidth", integerOrNull), ("resolution", textOrNull), ("codecs", textOrNull),
        ("group", textOrNull.said("GROUP-ID, or a variant's group of audio.")), ("default", flag),
        ("forced", flag), ("characteristics", textOrNull),
        ("container", text.said("The extension of its segments.")),
        ("encrypted", flag.said("At the origin; the addresses here are of segments in the clear.")),
        ("playlist", flag.said("Whether it has segments of its own; else a variant carries it.")),
        (
            "segment_uri",
            textOrNull.said("Below the server's address, {n} standing for a segment's number.")
        ), ("initialization_uri", textOrNull.said("The same of initialization sections.")),
        ("first", integer.said("The number of the first segment.")),
        ("start", number.said("When that begins, in seconds of the presentation; 0 or less.")),
        ("durations", list(number).said("Of each segment, in seconds.")),
        ("discontinuities", list(integer).said("The segments before which one stands.")),
        ("initializations", list(run).said("Pairs: from which segment on, which initialization section.")),
        ("stored", list(run).said("Pairs: the first and the last segment of a stored stretch.")),
        ("gaps", list(run).said("Pairs: the first and the last segment of what will never exist.")),
    ])

    private static let searchResult = whole([
        (
            "assets",
            list(whole([("asset", reference("Token")), ("name", text), ("tags", texts)])).said(
                "Those whose name or a tag has the text, the newest first.")
        ),
        (
            "cues",
            list(
                whole([
                    ("asset", reference("Token")), ("rendition", text), ("language", textOrNull),
                    ("start", number.said("Seconds of the presentation.")), ("text", text),
                ])
            ).said("Of complete subtitles whose segments are not encrypted.")
        ),
        (
            "pending",
            integer.said("Subtitle tracks that were not looked into yet; the same search later finds more.")
        ),
    ])
}
