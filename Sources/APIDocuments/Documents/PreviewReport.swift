package import StoreReading

/// The result that a selection would have.
package struct PreviewReport {
    package let preview: StreamPreview

    package init(_ preview: StreamPreview) { self.preview = preview }

    /// The selection with its renditions.
    package var json: JSONValue {
        let document: JSONValue = [
            "duration": JSONValue(preview.duration),
            "renditions": .array(preview.renditions.map(AssetDocument.json)),
            "lost": .array(preview.lost.map { .string($0) }), "estimate": .object(sizes),
            "key_providers": keyProviders,
        ]
        return document.adding([AssetDocument.leftOut(preview.leftOut)])
    }

    /// The estimated size, and the key providers that would be asked.
    package var estimate: JSONValue {
        .object(sizes + [("key_providers", keyProviders), AssetDocument.leftOut(preview.leftOut)])
    }

    private var sizes: [(String, JSONValue)] {
        let size = preview.size
        return [
            ("low", .integer(size.low)), ("likely", .integer(size.likely)), ("high", .integer(size.high)),
            ("method", .string(size.method.rawValue)),
        ]
    }

    private var keyProviders: JSONValue { .array(preview.keyProviders.map { .string($0) }) }
}

extension PreviewReport {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Estimate", estimate)
        ]

        private static let estimate = whole([
            ("low", integer.said("Bytes, at least.")), ("likely", integer.said("Bytes, probably.")),
            ("high", integer.said("Bytes, at most.")),
            (
                "method",
                text.said("byte-ranges, sampled, average-bandwidth or bandwidth, the most exact first.")
            ),
            ("key_providers", keyProviders),
            (
                "left_out",
                list(reference("LeftOut")).said("The parts of the request that are not in the stream.")
            ),
        ])

        private static let keyProviders = texts.said(
            "The names of the key providers that a download would ask for keys; this request asks none of them."
        )
    }
}
