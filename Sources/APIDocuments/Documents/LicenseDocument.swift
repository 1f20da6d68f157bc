package import StoreReading

/// The license object of the API and of `--json`.
package struct LicenseDocument {
    private let license: LicenseStatus

    package init(_ license: LicenseStatus) { self.license = license }

    package var json: JSONValue { .object(members) }

    /// The object with the license's history.
    package func json(_ events: [LicenseEvent]) -> JSONValue {
        let history = events.map { event -> JSONValue in
            [
                "at": .string(event.at.rfc3339), "event": .string(event.kind.rawValue),
                "count": .integer(event.count),
            ]
        }
        return .object(members + [("history", .array(history))])
    }

    /// One key of an asset.
    package static func json(_ key: KeyOutline) -> JSONValue {
        [
            "id": .string(key.id), "format": JSONValue(key.format), "uri": .string(key.place),
            "stored": .bool(key.isStored), "usable": .bool(key.isUsable),
        ]
    }

    private var members: [(String, JSONValue)] {
        [
            ("state", .string(license.state.rawValue)), ("kind", JSONValue(license.terms?.kind.rawValue)),
            ("requested_at", JSONValue(license.requestedAt?.rfc3339)), ("expires_at", expiry),
            ("first_played_at", JSONValue(license.firstPlayedAt?.rfc3339)),
            ("play_expires_at", JSONValue(license.playExpiresAt?.rfc3339)),
            ("rental", JSONValue(license.terms?.rental)),
            ("play_window", JSONValue(license.terms?.playWindow)),
            ("revoked_at", JSONValue(license.revokedAt?.rfc3339)),
            ("clock_moved_back", .bool(license.isClockBehind)),
            ("keys_handed_out", .integer(license.keysHandedOut)),
            ("last_handed_out_at", JSONValue(license.lastHandedOutAt?.rfc3339)),
        ]
    }

    private var expiry: JSONValue {
        switch license.expiry {
        case .never: "never"
        case .at(let time): .string(time.rfc3339)
        case .unknown: .null
        }
    }
}
