import ModelTestSupport
import Testing

@testable import StoreModel

/// Whether an asset plays with no network.
struct AvailabilityTests {
    @Test("two lists of stretches have in common what is longer than a millisecond")
    func common() {
        let all = [TimeRange(start: 0, duration: 1)]
        #expect(TimeRange.intersect([TimeRange(start: 0, duration: 0.001)], all) == [])
        #expect(TimeRange.intersect([TimeRange(start: 0, duration: 0.002)], all).count == 1)
    }

    /// Units of four seconds each: `i` an initialization section, upper case when it is there; `s` stored, `m`
    /// missing, `d` damaged, `g` a gap.
    private func units(_ text: String) -> [UnitFacts] {
        var start = 0.0
        return text.map { letter in
            let presence: UnitFacts.Presence =
                switch letter {
                case "s", "I": .stored
                case "d": .damaged(isGone: false)
                case "g": .gap
                default: .missing
                }
            guard letter != "i", letter != "I" else {
                return UnitFacts(kind: .initialization, start: 0, duration: 0, presence: presence)
            }
            defer { start += 4 }
            return UnitFacts(kind: .segment, start: start, duration: 4, presence: presence)
        }
    }

    private func judge(_ renditions: String..., keysMissing: Bool = false) -> Availability {
        Availability.judge(renditions.map(units), keysMissing: keysMissing)
    }

    @Test("an asset with everything plays from its beginning to its end")
    func whole() {
        #expect(
            judge("Isss", "Isss")
                == Availability(
                    offline: true, fromStartUntil: 12, ranges: [TimeRange(start: 0, duration: 12)],
                    stored: [TimeRange(start: 0, duration: 12)], blockedBy: []))
    }

    @Test("a stretch that every rendition has plays")
    func intersection() {
        let answer = judge("Isssmms", "sssss" + "mm")
        #expect(!answer.offline)
        #expect(answer.fromStartUntil == 12)
        #expect(answer.ranges == [TimeRange(start: 0, duration: 12)])
        #expect(answer.blockedBy == [.segmentsMissing])
    }

    @Test("media from before the presentation do not belong to it")
    func lead() {
        let units = [-2.0, 2, 6].map { start in
            UnitFacts(kind: .segment, start: start, duration: 4, presence: .stored)
        }
        let answer = Availability.judge([units], keysMissing: false)
        #expect(answer.ranges == [TimeRange(start: 0, duration: 10)] && answer.fromStartUntil == 10)
    }

    @Test("a missing beginning plays later, but not from the start")
    func missingBeginning() {
        let answer = judge("mssmss")
        #expect(answer.fromStartUntil == 0)
        #expect(answer.ranges == [TimeRange(start: 4, duration: 8), TimeRange(start: 16, duration: 8)])
    }

    @Test("without its initialization section nothing of a rendition plays")
    func initialization() {
        let answer = judge("iss", "Iss")
        #expect(answer.ranges.isEmpty)
        #expect(answer.fromStartUntil == 0)
        #expect(answer.blockedBy == [.initializationMissing])
    }

    @Test("a damaged segment is named as such")
    func damaged() {
        let answer = judge("sds")
        #expect(answer.blockedBy == [.segmentDamaged])
        #expect(answer.fromStartUntil == 4)
        #expect(judge("smd").blockedBy == [.segmentsMissing, .segmentDamaged])
    }

    @Test("a gap of the origin does not make an asset unplayable, and nothing plays in it")
    func gap() {
        let answer = judge("sgs")
        #expect(answer.offline)
        #expect(answer.fromStartUntil == 4)
        #expect(answer.ranges == [TimeRange(start: 0, duration: 4), TimeRange(start: 8, duration: 4)])
    }

    @Test("without its keys nothing plays, though all the rest is there")
    func keys() {
        let answer = judge("ss", keysMissing: true)
        #expect(!answer.offline)
        #expect(answer.ranges.isEmpty)
        #expect(answer.blockedBy == [.keyMissing])
        #expect(answer.stored == [TimeRange(start: 0, duration: 8)])
    }

    @Test(
        "an ended or revoked license removes playable ranges, and no stored ranges",
        arguments: [
            (LicenseStatus.State.expired, Availability.Obstacle.licenseExpired),
            (.revoked, .licenseRevoked),
        ])
    func license(_ state: LicenseStatus.State, _ obstacle: Availability.Obstacle) {
        let answer = judge("Isms").judged(by: LicenseStatus(state: state, expiry: .never))
        #expect(!answer.offline && answer.ranges.isEmpty && answer.fromStartUntil == 0)
        #expect(answer.blockedBy == [.segmentsMissing, obstacle])
        #expect(answer.stored == [TimeRange(start: 0, duration: 4), TimeRange(start: 8, duration: 4)])
    }

    @Test("an asset of which nothing is known yet does not play")
    func unresolved() {
        let answer = Availability.judge([], keysMissing: false)
        #expect(!answer.offline)
        #expect(answer.blockedBy == [.notResolved])
    }

    @Test("durations that do not add up exactly make no gaps")
    func rounding() {
        let thirds = (0..<3).map {
            UnitFacts(kind: .segment, start: Double($0) * 3.3335, duration: 3.333, presence: .stored)
        }
        #expect(Availability.judge([thirds], keysMissing: false).ranges.count == 1)
    }

    @Test("an asset without media does not play, and nothing is known that prevents it")
    func nothing() {
        let nothing = Availability.nothing
        #expect(!nothing.offline && nothing.fromStartUntil == 0 && nothing.blockedBy.isEmpty)
        #expect(nothing.ranges.isEmpty && nothing.stored.isEmpty)
    }

    @Test("a first segment that begins within a millisecond plays from the start")
    func almostFromStart() {
        func end(_ start: Double) -> Double {
            let unit = UnitFacts(kind: .segment, start: start, duration: 4, presence: .stored)
            return Availability.judge([[unit]], keysMissing: false).fromStartUntil
        }
        #expect(end(0) == 4 && end(TimeRange.tolerance) == TimeRange.tolerance + 4)
        #expect(end(0.002) == 0)
    }

    @Test(
        "a unit is damaged, not only missing, when its last check has found so",
        arguments: [
            (.gone, .segmentDamaged), (.damaged, .segmentDamaged), (.undecodable, .segmentDamaged),
            (.mp4, .segmentsMissing), (nil, .segmentsMissing),
        ] as [(UnitFinding?, Availability.Obstacle)])
    func found(_ finding: UnitFinding?, _ obstacle: Availability.Obstacle) {
        let unit = UnitFacts(kind: .segment, start: 0, duration: 4, presence: .missing, finding: finding)
        #expect(Availability.judge([[unit]], keysMissing: false).blockedBy == [obstacle])
    }

    @Test("a stored segment that no player can decode does not play")
    func undecodable() {
        var units = units("sss")
        units[1].finding = .undecodable
        let answer = Availability.judge([units], keysMissing: false)
        #expect(!answer.offline && answer.blockedBy == [.undecodable] && answer.fromStartUntil == 4)
    }

    @Test("without its playlists nothing plays, though all the rest is there")
    func playlists() {
        let answer = Availability.judge([units("ss")], keysMissing: false, playlistsMissing: true)
        #expect(!answer.offline && answer.ranges.isEmpty && answer.blockedBy == [.playlistMissing])
        #expect(answer.stored == [TimeRange(start: 0, duration: 8)])
    }

    @Test("an ended license also names the clock, where that was set back")
    func clock() {
        var license = LicenseStatus(state: .expired, expiry: .never)
        license.isClockBehind = true
        #expect(judge("s").judged(by: license).blockedBy == [.licenseExpired, .clockMovedBack])
        let valid = LicenseStatus(state: .valid, expiry: .never)
        #expect(judge("s").judged(by: valid) == judge("s"))
    }
}

/// Stretches of a presentation.
struct TimeRangeTests {
    private func range(_ start: Double, _ end: Double) -> TimeRange {
        TimeRange(start: start, duration: end - start)
    }

    @Test("ranges that touch or overlap become one")
    func joined() {
        #expect(
            TimeRange.joined([range(0, 4), range(4, 8), range(6, 7), range(10, 12)]) == [
                range(0, 8), range(10, 12),
            ])
        #expect(TimeRange.joined([]).isEmpty)
        // The largest gap that rounding makes, and a larger one.
        let edge = range(0, 4).end + TimeRange.tolerance
        #expect(TimeRange.joined([range(0, 4), TimeRange(start: edge, duration: 4)]).count == 1)
        #expect(TimeRange.joined([range(0, 4), TimeRange(start: edge + 0.001, duration: 4)]).count == 2)
    }

    @Test("the intersection has the times of both")
    func intersection() {
        #expect(
            TimeRange.intersect([range(0, 8), range(12, 20)], [range(4, 14), range(18, 30)])
                == [range(4, 8), range(12, 14), range(18, 20)])
        #expect(TimeRange.intersect([range(0, 4)], [range(4, 8)]).isEmpty)
        #expect(TimeRange.intersect([], [range(0, 1)]).isEmpty)
    }
}
