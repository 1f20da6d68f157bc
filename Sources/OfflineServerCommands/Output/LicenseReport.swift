internal import APIDocuments
internal import AssetStore
internal import OfflineServer

/// A license in words: both clocks, which of them ends it first, and the next step.
struct LicenseReport {
    let token: AssetToken
    let license: LicenseStatus

    var lines: [String] {
        guard license.state != .none else { return ["none: the asset is not encrypted and plays for ever"] }
        return [headline]
            + [
                license.terms.map { "  terms        \(terms($0))" },
                license.requestedAt.map { "  requested    \($0.localText)" },
                license.firstPlayedAt.map { "  first played \($0.localText)" }, rental, window,
                license.revokedAt.map { "  revoked      \($0.localText)" },
                handouts,
                next,
            ].compactMap(\.self)
    }

    private var handouts: String {
        let last = license.lastHandedOutAt.map { ", the last one \($0.localText)" } ?? ""
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
        return "  rental ends  \(end.localText)\(binds(end) ? " (this one applies)" : "")"
    }

    private var window: String? {
        if let end = license.playExpiresAt {
            return "  window ends  \(end.localText)\(binds(end) ? " (this one applies)" : "")"
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
