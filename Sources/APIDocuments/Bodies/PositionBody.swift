/// The body of `PUT /assets/{token}/position`.
package struct PositionBody: Decodable {
    /// Seconds from the beginning of the presentation.
    package var position: Double
    package var watched: Bool?

    /// Whether it is a possible time of a presentation.
    package var isSound: Bool { position.isFinite && (0...1e9).contains(position) }
}

extension PositionBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [("PositionRequest", positionRequest)]

        private static let positionRequest = open(
            [
                ("position", ["type": "number", "minimum": 0, "maximum": 1_000_000_000]),
                (
                    "watched",
                    flagOrNull.said(
                        "Whether the asset counts as watched; without this member it does from 90 % of its duration on."
                    )
                ),
            ], required: ["position"])
    }
}
