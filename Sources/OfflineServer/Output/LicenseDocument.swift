internal import AssetStore

/// The license object of the API and of `--json`.
struct LicenseDocument {
    private let license: LicenseStatus

    init(_ license: LicenseStatus) { self.license = license }

    var json: JSONValue { .object(members) }

    /// The object with what has happened to the license.
    func json(_ events: [LicenseEvent]) -> JSONValue {
        let history = events.map { event -> JSONValue in
            [
                "at": .string(event.at.rfc3339), "event": .string(event.kind.rawValue),
                "count": .integer(event.count),
            ]
        }
        return .object(members + [("history", .array(history))])
    }

    /// One key of an asset.
    static func json(_ key: KeyOutline) -> JSONValue {
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

/// A license in words: both clocks, which one binds, and what comes next.
struct LicenseReport {
    let token: AssetToken
    let license: LicenseStatus

    var lines: [String] {
        guard license.state != .none else { return ["none: the asset is not encrypted and plays for ever"] }
        return [headline]
            + [
                license.terms.map { "  terms        \(terms($0))" },
                license.requestedAt.map { "  requested    \($0.rfc3339)" },
                license.firstPlayedAt.map { "  first played \($0.rfc3339)" }, rental, window,
                license.revokedAt.map { "  revoked      \($0.rfc3339)" },
                handouts,
                next,
            ].compactMap(\.self)
    }

    private var handouts: String {
        let last = license.lastHandedOutAt.map { ", the last one \($0.rfc3339)" } ?? ""
        return "  handed out   \(license.keysHandedOut) \(license.keysHandedOut == 1 ? "key" : "keys")\(last)"
    }

    private var headline: String {
        license.isClockBehind ? "expired; the system's clock was set back since" : license.state.rawValue
    }

    private func terms(_ terms: LicenseTerms) -> String {
        let rental = terms.rental.map { "rental of \(TimeSpan.text($0))" } ?? "purchase"
        guard let window = terms.playWindow else { return rental }
        return "\(rental), to be played within \(TimeSpan.text(window)) of its first play"
    }

    private var rental: String? {
        guard case .at(let end) = license.expiry else { return nil }
        return "  rental ends  \(end.rfc3339)\(binds(end) ? " (this binds)" : "")"
    }

    private var window: String? {
        if let end = license.playExpiresAt {
            return "  window ends  \(end.rfc3339)\(binds(end) ? " (this binds)" : "")"
        }
        return license.terms?.playWindow == nil ? nil : "  window       begins with the first play"
    }

    private func binds(_ end: Timestamp) -> Bool {
        var ends = [license.playExpiresAt].compactMap(\.self)
        if case .at(let rental) = license.expiry { ends.append(rental) }
        return ends.count > 1 && ends.min() == end
    }

    private var next: String? {
        switch license.state {
        case .none, .valid: nil
        case .expired, .missing: "  `offline-server license renew \(token)` gets a new one"
        case .revoked:
            "  `offline-server license renew \(token)` gets a new one, or `key add` where keys were given"
        }
    }
}
