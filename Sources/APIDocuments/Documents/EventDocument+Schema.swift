internal import StoreReading

extension EventDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Event", message), ("Progress", progress),
        ]

        private static let message = whole([
            ("id", integer.said("The number of the event; later events have higher ones.")),
            ("type", oneOf(AssetEvent.Kind.allCases.map(\.rawValue))), ("at", time),
            ("token", reference("Token")), ("from", textOrNull.said("The state before.")),
            ("state", textOrNull.said("The state after the event.")), ("reason", textOrNull),
            ("error", ["anyOf": [reference("Failure"), ["type": "null"]]]),
        ]).said("The data of an event of GET /events; the event's name is its type.")

        private static let progress = whole([
            ("token", reference("Token")), ("progress", number.said("From 0 to 1.")), ("stored", bytes),
            ("expected", integerOrNull.said("Bytes.")), ("speed", numberOrNull.said("Bytes a second.")),
        ]).said("The data of the event \"progress\" of GET /events, which has no id and is not replayed.")
    }
}
