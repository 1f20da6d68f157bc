import AssetStore
import Testing

@testable import OfflineServerCommands

@Suite("A license in words")
struct LicenseReportTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))
    private let early = Timestamp(milliseconds: 1_000_000)
    private let late = Timestamp(milliseconds: 90_000_000)
    private let mark = " (this one applies)"

    private func lines(_ license: LicenseStatus) -> [String] {
        LicenseReport(token: token, license: license).lines
    }

    private func valid(
        _ expiry: LicenseStatus.Expiry, _ change: (inout LicenseStatus) -> Void = { _ in }
    ) -> LicenseStatus {
        var license = LicenseStatus(state: .valid, expiry: expiry)
        change(&license)
        return license
    }

    @Test("is one sentence if the asset is not encrypted")
    func none() {
        #expect(lines(.none) == ["none: the asset is not encrypted and plays for ever"])
    }

    @Test("has its terms, and no step to take while it is valid")
    func terms() {
        let bought = valid(.never) { $0.terms = LicenseTerms() }
        #expect(lines(bought) == ["valid", "  terms        purchase", "  handed out   0 keys"])
        let windowed = valid(.never) { $0.terms = LicenseTerms(playWindow: 172_800) }
        #expect(
            lines(windowed) == [
                "valid", "  terms        purchase, to be played within 2d of its first play",
                "  window       begins with the first play", "  handed out   0 keys",
            ])
    }

    @Test("counts one key and several ones in different words")
    func keys() {
        let one = valid(.never) { ($0.keysHandedOut, $0.lastHandedOutAt) = (1, early) }
        #expect(lines(one).last == "  handed out   1 key, the last one \(early.localText)")
        #expect(lines(valid(.never) { $0.keysHandedOut = 2 }).last == "  handed out   2 keys")
    }

    @Test("names the limit that ends it first only if there are two")
    func limits() {
        #expect(lines(valid(.at(early)))[1] == "  rental ends  \(early.localText)")
        #expect(
            lines(valid(.never) { $0.playExpiresAt = early })[1] == "  window ends  \(early.localText)")
        let rental = valid(.at(early)) { $0.playExpiresAt = late }
        #expect(lines(rental)[1] == "  rental ends  \(early.localText)\(mark)")
        #expect(lines(rental)[2] == "  window ends  \(late.localText)")
        let window = valid(.at(late)) { $0.playExpiresAt = early }
        #expect(lines(window)[1] == "  rental ends  \(late.localText)")
        #expect(lines(window)[2] == "  window ends  \(early.localText)\(mark)")
    }

    @Test("that has ended leads to a new one, and says so if the clock was set back")
    func ended() {
        var license = LicenseStatus(state: .expired, expiry: .unknown)
        #expect(lines(license).first == "expired")
        #expect(lines(license).last == "  `offline-server license renew \(token)` gets a new one")
        license.isClockBehind = true
        #expect(lines(license).first == "expired; the system's clock was set back since")
        license = LicenseStatus(state: .revoked, expiry: .unknown)
        license.revokedAt = late
        #expect(lines(license)[1] == "  revoked      \(late.localText)")
        #expect(lines(license).last?.hasSuffix(", or `key add` where keys were given") == true)
    }
}
