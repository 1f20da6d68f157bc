internal import StoreReading

extension DownloadList {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("DownloadRequest", request)
        ]

        private static let request: JSONValue = ["anyOf": [reference("Download"), downloads, several]]

        private static let downloads: JSONValue = [
            "type": "array", "minItems": 1, "items": ["anyOf": [url, reference("Download")]],
        ]

        private static let several = open(
            [
                ("assets", downloads), ("hold", flagOrNull.said("Wait 2 s for a resume.")),
                ("next", count.said("Add items of the list until this many are stored or being downloaded.")),
            ], required: ["assets"])

        /// The forms of a body with several downloads.
        static let downloadForms: [(String, JSONValue)] = [
            ("DownloadArray", downloads), ("DownloadList", several),
        ]
    }
}
