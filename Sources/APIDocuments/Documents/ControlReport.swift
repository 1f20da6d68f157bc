package import StoreReading

/// The outcome of an action on several assets: the answer of `POST /control`.
package struct ControlReport {
    /// The assets for which the action succeeded, with their state.
    package var done: [(token: String, state: String)] = []
    /// The assets for which it was refused, with the error's class and the reason.
    package var refused: [(token: String, errorClass: String, detail: String)] = []

    package init() {}

    /// Adds texts that name no asset.
    package mutating func refuse(_ unknown: [String]) {
        for text in unknown {
            let error = StoreError(.noSuchAsset(text))
            refused.append((text, error.errorClass.rawValue, error.message))
        }
    }

    package mutating func add(_ other: ControlReport) {
        done += other.done
        refused += other.refused
    }

    package init(_ outcome: ControlOutcome) {
        done = outcome.done.map { ($0.token.description, $0.to.rawValue) }
        refused = outcome.refused.map {
            ($0.token.description, $0.error.errorClass.rawValue, $0.error.message)
        }
    }

    /// Reads the report from a JSON object.
    package init(_ answer: [String: Any]) {
        for item in answer["done"] as? [[String: Any]] ?? [] {
            done.append((item["token"] as? String ?? "", item["state"] as? String ?? ""))
        }
        for item in answer["refused"] as? [[String: Any]] ?? [] {
            refused.append(
                (
                    item["token"] as? String ?? "", item["class"] as? String ?? "",
                    item["detail"] as? String ?? ""
                ))
        }
    }

    package var members: [(String, JSONValue)] {
        [
            (
                "done",
                .array(done.map { ["token": .string($0.token), "state": .string($0.state)] })
            ),
            (
                "refused",
                .array(
                    refused.map {
                        [
                            "token": .string($0.token), "class": .string($0.errorClass),
                            "detail": .string($0.detail),
                        ]
                    })
            ),
        ]
    }

    package var json: JSONValue { .object(members) }
}

extension ControlReport {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("ControlReport", report), ("Removed", whole([("removed", reference("Token"))])),
        ]

        private static let report = whole([
            ("done", list(whole([("token", reference("Token")), ("state", text)]))),
            (
                "refused",
                list(
                    whole([
                        ("token", text.said("The token or tag, as it was named.")), ("class", text),
                        ("detail", text),
                    ]))
            ),
        ])
    }
}
