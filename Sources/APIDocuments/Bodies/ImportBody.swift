package import StoreReading

/// The body of `POST /import`: the options of `import` as JSON. Reading and writing stand side by side.
package struct ImportBody: Codable, SelectionMembers {
    package var path: String
    package var name: String?
    package var maxBitrate: Int?
    package var minBitrate: Int?
    package var maxHeight: Int?
    package var allVariants: Bool?
    package var audio: DownloadBody.Languages?
    package var subtitles: DownloadBody.Languages?
    package var trickPlay: Bool?

    package init(path: String, name: String?, _ selection: Selection) {
        (self.path, self.name) = (path, name)
        choose(selection)
    }

    /// The selection: everything, unless the body says more.
    package var selection: Selection { chosen.isAutomatic ? .everything : chosen }
}

extension ImportBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("ImportRequest", importing)
        ]

        private static let importing: JSONValue = [
            "allOf": [
                open(
                    selection + [
                        (
                            "path",
                            matching("^/").said("A folder, or a playlist in it, on the server's machine.")
                        ),
                        ("name", nameOrNull.said("A name for people.")),
                    ], required: ["path"]),
                oneBitrate,
            ]
        ]
    }
}
