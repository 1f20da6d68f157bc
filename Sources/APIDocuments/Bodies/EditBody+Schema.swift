internal import StoreReading

extension EditBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("AssetEdit", edit)
        ]

        private static let edit = open(
            [
                ("name", nameOrNull.said("A name for people.")),
                ("priority", number64.said("The highest goes first.")),
                ("pinned", flagOrNull.said("Never evict it.")),
                ("meta", meta.said("Properties of your own, in place of those it has.")), ("tags", tags),
                (
                    "artwork",
                    textOrNull.said(
                        "Its picture: a URL, an absolute path, or a data: URL in base64; an empty text removes it."
                    )
                ),
            ] + limits + access)
    }
}
