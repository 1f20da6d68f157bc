internal import StoreReading

extension ControlBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("ControlRequest", control),
            ("CancelRequest", open([("purge", flagOrNull.said("Delete the stored media, too."))])),
            (
                "RepairRequest",
                open([("quick", flagOrNull.said("Compare only the lengths of files.")), acceptChanges])
            ), ("ResumeRequest", open([acceptChanges])),
            ("RelinkRequest", open([("url", url)] + access, required: ["url"])),
            (
                "KeyRequest",
                open(
                    [("key", keyPair.said("A name and a key, ID:KEY: an ID of the asset's keys, or a KID."))],
                    required: ["key"])
            ), ("PruneRequest", prune),
        ]

        private static let acceptChanges = (
            "accept_changes",
            flagOrNull.said("If the origin has another stream now, it replaces the stored one.")
        )

        /// Some assets or all, and a priority where one is given.
        private static let control: JSONValue = {
            let verbs = oneOf(["pause", "resume", "cancel", "remove", "pin", "unpin"])
            let scopes: [(String, [(String, JSONValue)])] = [
                ("tokens", [("tokens", texts), ("all", ["enum": [false, nil]])]),
                ("all", [("tokens", ["type": "null"]), ("all", ["const": true])]),
            ]
            let choices = scopes.flatMap { scope, members in
                let members = members + [("purge", flagOrNull)]
                return [
                    open(
                        members + [("action", verbs), ("priority", number64)], required: ["action", scope]),
                    open(
                        members + [
                            ("action", ["const": "prioritize"]), ("priority", integer(.min ... .max)),
                        ],
                        required: ["action", "priority", scope]),
                ]
            }
            return ["anyOf": .array(choices)]
        }()

        private static let prune = open([
            ("dry_run", flagOrNull.said("Only report what would be evicted.")), ("free", rate.said("Bytes.")),
            (
                "evict",
                JSONValue.object([
                    ("type", ["array", "null"]), ("items", oneOf(EvictionClass.allCases.map(\.rawValue))),
                ]).said("Classes that may be evicted; without it those of the settings.")
            ),
        ])
    }
}
