package import StoreReading

/// The body of `POST /assets/{token}/tracks`: the options of `add-tracks` and `remove-tracks` as JSON.
package struct TracksBody: Codable, SelectionMembers {
    package var maxBitrate: Int?
    package var minBitrate: Int?
    package var maxHeight: Int?
    package var allVariants: Bool?
    package var audio: DownloadBody.Languages?
    package var subtitles: DownloadBody.Languages?
    package var trickPlay: Bool?
    package var subtitleFiles: [SubtitleSource]?
    /// Names of renditions that go.
    package var remove: [String]?
    /// Whether the stream must have everything that is requested.
    package var strict: Bool?

    package init(_ selection: Selection, subtitleFiles: [SubtitleSource], isStrict: Bool = false) {
        choose(selection)
        self.subtitleFiles = subtitleFiles
        strict = isStrict ? true : nil
    }

    package init(removing names: [String]) { remove = names }

    /// Whether it requests nothing.
    var isEmpty: Bool {
        chosen.isAutomatic && (subtitleFiles ?? []).isEmpty && (remove ?? []).isEmpty
    }
}

extension TracksBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("TracksRequest", tracks)
        ]

        /// At least one member must be present.
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
            return [
                "allOf": [members, oneBitrate, ["anyOf": .array(says.map { open([$0], required: [$0.0]) })]]
            ]
        }()
    }
}
