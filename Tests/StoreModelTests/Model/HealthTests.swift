import ModelTestSupport
import Testing

@testable import StoreModel

/// The health of an asset, by facts alone.
struct HealthTests {
    private func facts(
        _ units: [NotableUnit] = [], state: AssetState = .complete, isComplete: Bool = true
    ) -> HealthFacts {
        HealthFacts(
            state: state,
            renditions: [
                .init(name: "video", failure: nil, isFetched: true, isComplete: isComplete)
            ], units: units)
    }

    private func unit(
        _ number: Int, _ finding: UnitFinding, _ rendition: String = "video", kind: UnitKind = .segment
    ) -> NotableUnit {
        NotableUnit(
            rendition: rendition, kind: kind, number: number, start: Double(number) * 4, duration: 4,
            finding: finding)
    }

    @Test("an asset with everything is sound; a running download is incomplete")
    func levels() {
        #expect(Health.judge(facts()) == Health(level: .sound))
        #expect(Health.judge(facts(state: .downloading, isComplete: false)) == Health(level: .incomplete))
        #expect(Health.judge(facts(state: .paused, isComplete: false)).level == .incomplete)
    }

    @Test("segments that follow each other are one problem, with its place in the presentation")
    func joined() {
        let health = Health.judge(
            facts([unit(2, .gone), unit(3, .gone), unit(7, .gone), unit(8, .damaged)]))
        #expect(health.level == .damaged)
        #expect(health.problems.map(\.kind) == [.segmentMissing, .segmentMissing, .segmentDamaged])
        #expect(health.problems.map(\.start) == [8, 28, 32])
        #expect(health.problems.map(\.duration) == [8, 4, 4])
        #expect(health.problems.map(\.count) == [2, 1, 1])
        #expect(health.problems.allSatisfy { $0.advice == .repair && $0.rendition == "video" })
    }

    @Test("missing segments of a running download are no problem")
    func underWay() {
        let health = Health.judge(facts([unit(2, .gone)], state: .paused, isComplete: false))
        #expect(health == Health(level: .incomplete))
    }

    @Test("a failed download has the fault of the stream as its problem, and is no damage")
    func failed() {
        let token = AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        let now = Timestamp(milliseconds: 0)
        func judged(_ code: StoreError.Code) -> Health {
            var facts = facts(state: .failed, isComplete: false)
            facts.failure = AssetFailure(StoreError(code), at: now)
            return Health.judge(facts)
        }
        let undecodable = judged(.integrity(.changed))
        #expect(undecodable.level == .incomplete)
        #expect(undecodable.problems.map(\.kind) == [.undecodable])
        #expect(undecodable.problems.first?.cause == StoreError(.integrity(.changed)).message)
        #expect(judged(.status(404, retryAfter: nil)).problems.map(\.kind) == [.segmentMissing])
        #expect(judged(.status(404, retryAfter: nil)).problems.map(\.advice) == [.resume])
        #expect(token.map { judged(.noSuchAsset($0.description)).problems.isEmpty } == true)
    }

    @Test("undecodable media are damage; media of an unknown kind are named and sound")
    func kinds() {
        #expect(Health.judge(facts([unit(0, .undecodable)])).level == .damaged)
        let unknown = Health.judge(facts([unit(0, .unknown)]))
        #expect(unknown.level == .sound)
        #expect(unknown.problems.map(\.kind) == [.unknownMedia])
        #expect(unknown.problems.first?.advice == HealthProblem.Advice.none)
    }

    @Test("the gaps of a recording are told once, with their reasons; the seconds are those of one rendition")
    func gaps() {
        var facts = facts([unit(1, .gap), unit(1, .gap, "audio")])
        #expect(Health.judge(facts).missingSeconds == 4)
        #expect(Health.judge(facts).problems.map(\.cause) == [nil, nil])
        facts.gaps = ["video", "audio"].map {
            RecordingGap(
                rendition: $0, number: 1, count: 7, start: 4, duration: 28, reason: "window",
                at: Timestamp(milliseconds: 0))
        }
        let health = Health.judge(facts)
        #expect(health.level == .incomplete)
        #expect(health.missingSeconds == 28)
        #expect(health.problems.map(\.count) == [7, 7])
        #expect(health.problems.map(\.cause) == ["window", "window"])
        facts.gaps = [
            RecordingGap(
                rendition: "video", number: 1, count: 0, start: 4, duration: 0, reason: "restarted",
                at: Timestamp(milliseconds: 0))
        ]
        #expect(Health.judge(facts) == Health(level: .sound))
    }

    @Test(
        "the advice for missing keys is to renew if an origin has them, else to add them; a lost rendition is repaired"
    )
    func keysAndRenditions() {
        var facts = facts()
        facts.missingKeys = 2
        #expect(Health.judge(facts).problems.map(\.advice) == [.licenseRenew])
        facts.hasKeySource = false
        #expect(Health.judge(facts).problems.map(\.advice) == [.addKey])
        #expect(Health.judge(facts).level == .incomplete)
        facts.missingKeys = 0
        facts.renditions.append(
            .init(name: "audio-de", failure: "not there", isFetched: true, isComplete: false))
        let health = Health.judge(facts)
        #expect(health.level == .incomplete)
        #expect(health.problems.map(\.kind) == [.renditionLost])
        #expect(health.problems.map(\.cause) == ["not there"])
    }

    @Test("very many stretches are told as one for each kind and rendition")
    func many() {
        let units = (0..<500).map { unit($0 * 2, .gone) } + (0..<3).map { unit($0 * 2, .gone, "audio") }
        let health = Health.judge(facts(units))
        #expect(health.problems.map(\.count) == [500, 3])
        #expect(health.problems.map(\.duration) == [2000, 12])
    }

    @Test("the worst comes first")
    func order() {
        var facts = facts([unit(1, .unknown), unit(5, .undecodable), unit(9, .gone)])
        facts.missingKeys = 1
        #expect(
            Health.judge(facts).problems.map(\.kind) == [
                .segmentMissing, .undecodable, .keyMissing, .unknownMedia,
            ])
    }
}
