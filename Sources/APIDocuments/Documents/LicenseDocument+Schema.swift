internal import StoreReading

extension LicenseDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("License", license),
            ("LicenseWithHistory", extended("License", [("history", list(licenseEvent))])), ("Keys", keys),
        ]

        private static let license = whole([
            ("state", oneOf(["none", "valid", "expired", "revoked", "missing"])),
            ("kind", textOrNull.said("purchase or rental.")), ("requested_at", timeOrNull),
            ("expires_at", textOrNull.said("A time, or \"never\".")), ("first_played_at", timeOrNull),
            ("play_expires_at", timeOrNull.said("The end of the play window, once it has begun.")),
            ("rental", integerOrNull.said("Seconds from the request on.")),
            ("play_window", integerOrNull.said("Seconds from the first play on.")),
            ("revoked_at", timeOrNull),
            ("clock_moved_back", flag), ("keys_handed_out", integer), ("last_handed_out_at", timeOrNull),
        ])

        private static let licenseEvent = whole([("at", time), ("event", text), ("count", integer)])

        private static let keys = whole([
            (
                "keys",
                list(
                    whole([
                        ("id", text), ("format", textOrNull.said("KEYFORMAT; null for identity.")),
                        ("uri", text.said("The address of the stream, without its query.")),
                        ("stored", flag.said("Whether the store has the key.")),
                        (
                            "usable",
                            flag.said("Whether it can be unsealed, too; one that can't be counts as missing.")
                        ),
                    ]))
            )
        ])
    }
}
