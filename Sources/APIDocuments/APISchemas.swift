internal import StoreReading

/// The schemas of the OpenAPI document. Each stands with the body or the document that it describes.
package enum APISchemas: Described {
    package static let schemas: [(String, JSONValue)] = [
        ("Token", token.said("An asset's permanent name, a ULID: those of later assets are greater.")),
        ("Object", ["type": "object"]), ("Text", ["type": "string"]), ("Problem", problem),
    ]

    /// All of them.
    package static let all: [(String, JSONValue)] = schemas + documents + bodies

    /// The schemas of request bodies. A body that fits its schema is not refused for its form; one that does
    /// not fit is.
    static let bodies = described([
        EditBody.Schema.self, DownloadBody.Schema.self, DownloadList.Schema.self, SettingsBody.Schema.self,
        ControlBody.Schema.self, TracksBody.Schema.self, ImportBody.Schema.self, LicenseBody.Schema.self,
        PositionBody.Schema.self, SignInBody.Schema.self,
    ])

    private static let documents = described([
        AssetDocument.Schema.self, AssetEntry.Schema.self, LicenseDocument.Schema.self,
        ActivityDocument.Schema.self, SettingsDocument.Schema.self, ControlReport.Schema.self,
        PreviewReport.Schema.self, OfferReport.Schema.self, VerificationDocument.Schema.self,
        StorageDocument.Schema.self, PruneDocument.Schema.self, NodesDocument.Schema.self,
        EventDocument.Schema.self,
        ViewingSchemas.self,
    ])

    private static func described(_ types: [any Described.Type]) -> [(String, JSONValue)] {
        types.flatMap { $0.schemas }
    }

    private static let problem = whole([
        ("type", text.said("The type of the error, for programs: tag:offline-server,2026: and a name.")),
        ("title", text), ("status", integer),
        ("detail", text.said("The error and the advice, in a sentence for people.")),
        ("code", textOrNull.said("The name of the store's error, such as nothing-selected.")),
        ("token", textOrNull.said("The asset that it is about.")),
    ]).adding([("additionalProperties", object)]).said(
        "A problem document (RFC 9457). Further members where they say more: pointer (the place in the body, RFC 6901), parameter (the item of the query), suggestion (the name that was probably meant), left_out."
    )

    // MARK: Parameters

    package static let event = integer(0 ... .max)

    package static let limit = integer(1 ... .max)

    package static let token = matching("^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$")

    package static let states: JSONValue = {
        let state = "(\(AssetState.allCases.map(\.rawValue).joined(separator: "|")))"
        return matching("^(\(state)(,\(state))*)?$")
    }()
}
