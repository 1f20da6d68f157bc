internal import StoreReading

/// The schemas of positions, plays, timelines and searches.
enum ViewingSchemas: Described {
    static let schemas: [(String, JSONValue)] = [
        ("Position", position), ("Plays", plays),
        ("Timeline", timeline), ("SearchResult", searchResult), ("Checkup", checkup),
        ("Session", session), ("Sessions", sessions), ("SignInCode", signInCode),
    ]

    private static let session = whole([
        ("id", text), ("name", text.said("The device.")), ("created_at", time),
        ("last_seen_at", time.said("The time of its last request, to the minute.")),
        ("current", flag.said("Whether this request came from it.")),
    ])

    private static let sessions = whole([
        ("sessions", list(reference("Session"))),
        (
            "required",
            flag.said("Whether every request needs the token or a sign-in.")
        ),
    ])

    private static let signInCode = whole([
        ("code", text), ("expires_at", time),
        ("urls", texts.said("Addresses of the page with the code in the fragment, for a QR code.")),
    ])

    private static let position = whole([
        ("position", numberOrNull.said("Seconds from the beginning; null until a player has told one.")),
        ("watched", flag), ("at", timeOrNull.said("The time at which a player told it last.")),
    ])

    private static let plays = whole([
        (
            "plays",
            list(
                whole([
                    ("began_at", time),
                    (
                        "ended_at",
                        time.said("The time of the last request for a segment, exact to some seconds.")
                    ),
                    (
                        "until",
                        number.said("The end of the last requested segment, in seconds of the presentation.")
                    ),
                ]))
        )
    ])

    private static let checkup = whole([
        ("findings", list(whole([("check", text), ("ok", flag), ("detail", text.said("For people."))])))
    ])

    private static let run = JSONValue.object([("type", "array"), ("items", integer)])

    private static let timeline = whole([
        ("token", reference("Token")), ("duration", number.said("Seconds.")),
        ("live", flag.said("Whether it is being recorded, so that more segments will follow.")),
        ("complete", flag),
        ("renditions", list(timelineRendition)),
    ])

    private static let timelineRendition = whole([
        ("id", text), ("type", text), ("language", textOrNull), ("name", textOrNull),
        ("bandwidth", integerOrNull), ("resolution", textOrNull), ("codecs", textOrNull),
        ("group", textOrNull.said("GROUP-ID; of a variant, its audio group.")), ("default", flag),
        ("forced", flag), ("characteristics", textOrNull),
        ("container", text.said("The extension of its segments.")),
        (
            "encrypted",
            flag.said(
                "Whether the origin's segments are encrypted; those at the addresses here are in the clear.")
        ),
        ("playlist", flag.said("Whether it has segments of its own; otherwise it is inside a variant.")),
        (
            "segment_uri",
            textOrNull.said("Path below the server's address; {n} stands for a segment's number.")
        ), ("initialization_uri", textOrNull.said("The same for initialization sections.")),
        ("first", integer.said("The number of the first segment.")),
        ("start", number.said("The start of the first segment in seconds of the presentation; 0 or less.")),
        ("durations", list(number).said("The duration of each segment, in seconds.")),
        ("discontinuities", list(integer).said("The numbers of the segments that follow a discontinuity.")),
        (
            "initializations",
            list(run).said(
                "Pairs: the number of a segment, and the initialization section that applies from it on.")
        ),
        ("stored", list(run).said("Pairs: the first and the last segment of a stored stretch.")),
        (
            "gaps",
            list(run).said("Pairs: the first and the last segment of a gap; these segments will never exist.")
        ),
    ])

    private static let searchResult = whole([
        (
            "assets",
            list(whole([("asset", reference("Token")), ("name", text), ("tags", texts)])).said(
                "Assets whose name or tag has the text, the newest first.")
        ),
        (
            "cues",
            list(
                whole([
                    ("asset", reference("Token")), ("rendition", text), ("language", textOrNull),
                    ("start", number.said("Seconds of the presentation.")), ("text", text),
                ])
            ).said("Cues with the text, of complete subtitle tracks whose segments are not encrypted.")
        ),
        (
            "pending",
            integer.said(
                "Number of subtitle tracks that are not searched yet; the same search later finds more.")
        ),
    ])
}
