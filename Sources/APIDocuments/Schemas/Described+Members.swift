internal import StoreReading

/// Members that several bodies have.
extension Described {
    static var selection: [(String, JSONValue)] {
        [
            ("max_bitrate", count.said("Bits a second: the largest variant not above, else the lowest.")),
            ("min_bitrate", count.said("Bits a second: the smallest variant not below, else the highest.")),
            ("max_height", count.said("Pixels; 1080 if neither this nor a bit rate is given.")),
            ("all_variants", flagOrNull),
            ("audio", languages.said("Languages, or \"all\" or \"none\"; else the stream's default.")),
            ("subtitles", languages.said("Languages, or \"all\" or \"none\"; else all.")),
            ("trick_play", flagOrNull.said("I-frame playlists and tracks of thumbnails, too.")),
        ]
    }

    static var languages: JSONValue {
        ["type": ["string", "array", "null"], "items": text]
    }

    /// The rule that a body has at most one limit of the bit rate.
    static var oneBitrate: JSONValue {
        [
            "anyOf": [open([("max_bitrate", ["type": "null"])]), open([("min_bitrate", ["type": "null"])])]
        ]
    }

    static var subtitleFiles: JSONValue {
        [
            "type": ["array", "null"],
            "items": open(
                [
                    ("source", text.said("A URL or an absolute path: WebVTT, SubRip, ASS or TTML.")),
                    ("language", text.said("BCP 47.")), ("name", textOrNull),
                ], required: ["source", "language"]),
        ]
    }

    static var strict: JSONValue {
        flagOrNull.said(
            "Refuse the request if the stream lacks something that it asks for, or if that does not apply.")
    }

    static var meta: JSONValue {
        ["type": ["object", "null"], "additionalProperties": text]
    }

    static var terms: [(String, JSONValue)] {
        [
            ("purchase", flagOrNull.said("A license without an end; the default.")),
            ("rental", spanOrSeconds.said("The length of the rental: seconds, or a time such as 30d.")),
            ("play_window", spanOrSeconds.said("The length of the play window, from the first play on.")),
        ]
    }

    /// A purchase is no rental.
    static var oneKind: JSONValue {
        [
            "anyOf": [open([("purchase", ["enum": [false, nil]])]), open([("rental", ["type": "null"])])]
        ]
    }

    static var headersFor: JSONValue {
        JSONValue.object([
            ("type", ["object", "null"]), ("propertyNames", hostPattern),
            ("additionalProperties", ["type": "array", "items": fieldLine]),
        ]).said(
            "Lists of \"Name: value\" by host pattern, such as *.cdn.example; also sent after a redirect. Kept sealed."
        )
    }

    static var access: [(String, JSONValue)] {
        [
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
    }

    static var limits: [(String, JSONValue)] {
        [
            ("limit_rate", rate.said("Bytes a second, all its transfers together; 0 or null for no limit.")),
            ("schedule", schedule.said("Times of day, local, such as 22:00-06:00; or always.")),
            ("metered_ok", flagOrNull.said("Whether downloads run on a metered connection, too.")),
        ]
    }

    static var lost: (String, JSONValue) {
        ("lost", texts.said("The streams that could not be read and were left out."))
    }
}

extension Described {
    /// A tag in a list of tags.
    static var tags: JSONValue {
        JSONValue.object([
            ("type", ["array", "null"]),
            ("items", matching(#"^[^,\u0000-\u0020]([^,\u0000-\u001F]{0,62}[^,\u0000-\u0020])?$"#)),
        ]).said(
            "Words of your own, 1 to 64 characters without commas; tag:WORD stands for all assets with it.")
    }
}
