internal import StoreReading

extension AssetEntry {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("AssetList", assetList), ("Added", added),
        ]

        private static let assetList = whole([
            ("assets", list(reference("Asset"))),
            ("next", textOrNull.said("Give it as \"before\" to get the next page; null at the end.")),
            ("last_event", integer.said("Give it as \"since\" to get later changes.")),
            (
                "removed",
                list(reference("Token")).said(
                    "With \"since\": the assets that were removed after that event.")
            ),
            (
                "gap",
                flag.said(
                    "Whether the store no longer has the events after \"since\", or never had them: list all assets again."
                )
            ),
        ])

        private static let existing = (
            "existing", textOrNull.said("The token of an earlier asset of the same address.")
        )

        private static let entry = open(
            [("token", reference("Token")), ("playlist_url", text), existing],
            required: ["token", "playlist_url"])

        private static let added: JSONValue = [
            "anyOf": [
                ["allOf": [reference("Asset"), open([lost, existing])]],
                whole([
                    ("assets", list(entry)),
                    (
                        "ready",
                        integer.said(
                            "With \"next\": the number of the list's items that are stored or on their way.")
                    ),
                ]),
            ]
        ]
    }
}
