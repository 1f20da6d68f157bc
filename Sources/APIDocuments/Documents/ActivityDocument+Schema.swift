internal import StoreReading

extension ActivityDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Activity", activity), ("ActivityList", activityList), ("ActivityChange", activityChange),
        ]

        private static let activity = whole([
            ("doing", oneOf(AssetActivity.Doing.allCases.map(\.rawValue))),
            ("since", time.said("The time at which this work began.")),
            (
                "attempt",
                integer.said(
                    "The number of the running or next try, of the transfer that has failed most often.")
            ),
            ("of", integer.said("The number of tries after which it is given up.")),
            ("last_error", orNull("Failure")),
            ("next_try_at", timeOrNull),
            (
                "stalled_since",
                timeOrNull.said(
                    "The time since which no byte has come; null for the first 3 s.")
            ),
        ]).said("The work on an asset at this moment; null when nothing works on it.")

        private static let activityList = whole([
            (
                "assets",
                list(
                    whole([
                        ("token", reference("Token")), ("speed", numberOrNull.said("Bytes a second.")),
                        ("in_flight", bytes), ("activity", activityOrNull),
                    ]))
            )
        ])

        private static let activityOrNull: JSONValue = ["anyOf": [reference("Activity"), ["type": "null"]]]

        private static let activityChange = whole([
            ("token", reference("Token")), ("activity", activityOrNull),
        ]).said("The data of the event \"activity\" of GET /events, which has no id and is not replayed.")
    }
}
