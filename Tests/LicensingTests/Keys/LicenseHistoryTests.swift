import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// What a license should do, in the fewest words: all the time that was ever seen, and two ends.
private struct Model {
    var wall: Int64
    /// What the clock of licenses has seen.
    var seen: Int64
    /// What it had seen before another license started it again, and what it has seen since.
    var own: Int64
    var end: Int64?
    var window: Int64?
    var windowEnd: Int64?
    var isPlayed = false
    var isRevoked = false

    init(at now: Int64) { (wall, seen, own) = (now, now, now) }

    mutating func pass(_ milliseconds: Int64) {
        wall += milliseconds
        see(max(seen + milliseconds, wall))
    }

    mutating func set(_ difference: Int64) {
        wall += difference
        see(max(seen, wall))
    }

    private mutating func see(_ now: Int64) {
        own = now >= own ? now : own + now - seen
        seen = now
    }

    mutating func grantAnother() {
        if wall + Moment.tolerance < seen { seen = wall }
    }

    mutating func grant(_ terms: LicenseTerms) {
        grantAnother()
        own = seen
        end = terms.rental.map { seen + $0 * 1000 }
        window = terms.playWindow.map { $0 * 1000 }
        (windowEnd, isPlayed, isRevoked) = (nil, false, false)
    }

    mutating func play() -> Bool {
        guard !isRevoked, own < end ?? .max, own < windowEnd ?? .max else { return false }
        if !isPlayed { windowEnd = window.map { own + $0 } }
        isPlayed = true
        return true
    }
}

@Suite("Whatever happens to a license", .timeLimit(.minutes(4)))
struct LicenseHistoryTests {
    @Test("it gives exactly the permitted keys", arguments: 0..<12)
    func history(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        let terms = dice.terms()
        try await Licensed.run(terms) { asset async throws in
            var model = Model(at: asset.clock.now.milliseconds)
            model.grant(terms)
            for step in 0..<60 {
                try await happen(&dice, to: asset, &model)
                asset.fixture.store.keys.flush()
                let expected = model.play()
                let isGiven = try asset.key() == "key"
                #expect(isGiven == expected, "seed \(seed), step \(step)")
                if isGiven != expected { return }
            }
        }
    }

    private func happen(_ dice: inout Dice, to asset: Licensed, _ model: inout Model) async throws {
        let time = dice.time()
        switch dice.roll(9) {
        case 0, 1, 2:
            asset.clock.pass(time)
            model.pass(time)
        case 3:
            asset.clock.set(back: time)
            model.set(-time)
        case 4:
            asset.clock.set(back: -time)
            model.set(time)
        case 5: try await asset.restart(reboots: dice.roll(2) == 0)
        case 6:
            let terms = dice.terms()
            try await asset.fixture.store.renewLicense(of: asset.token, terms)
            model.grant(terms)
        case 7:
            _ = try await asset.fixture.add("/master.m3u8")
            model.grantAnother()
        default:
            guard dice.roll(3) == 0 else { return }
            try asset.fixture.store.licenses.revoke(asset.token)
            model.isRevoked = true
        }
    }
}

/// Chance that can be repeated (SplitMix64).
private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }

    /// Milliseconds between one and about ten years.
    mutating func time() -> Int64 {
        let scale: [Int64] = [1000, 60_000, 3_600_000, 86_400_000, 31_536_000_000]
        return Int64.random(in: 1...(scale[roll(5)] * 10), using: &self)
    }

    mutating func terms() -> LicenseTerms {
        func limit() -> Int64? { roll(2) == 0 ? nil : [1, 60, 3600, 86400, 2_592_000][roll(5)] }
        return LicenseTerms(rental: limit(), playWindow: limit())
    }
}
