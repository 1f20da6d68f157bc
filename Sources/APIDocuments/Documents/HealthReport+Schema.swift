internal import StoreReading

extension HealthReport {
    /// The schema of a problem.
    static let schema = Schema.problem

    private enum Schema: Described {
        static var schemas: [(String, JSONValue)] { [] }

        static let problem = whole([
            ("kind", oneOf(HealthProblem.Kind.allCases.map(\.rawValue))),
            ("rendition", textOrNull.said("Its id; null for the whole asset.")),
            ("start", numberOrNull.said("Seconds of the presentation.")),
            ("duration", numberOrNull.said("Seconds.")),
            ("count", integer.said("Segments, keys or renditions.")), ("detail", text.said("For people.")),
            (
                "advice",
                oneOf(HealthProblem.Advice.allCases.map(\.rawValue)).said("The action that repairs it.")
            ),
        ])
    }
}
