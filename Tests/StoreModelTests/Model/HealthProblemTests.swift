import Testing

@testable import StoreModel

@Suite("The problems of an asset")
struct HealthProblemTests {
    private let now = Timestamp(milliseconds: 0)

    private func facts(_ units: [NotableUnit] = [], state: AssetState = .complete) -> HealthFacts {
        HealthFacts(
            state: state, renditions: [.init(name: "video", isFetched: true, isComplete: true)],
            units: units)
    }

    private func unit(
        _ start: Double, _ finding: UnitFinding = .gone, kind: UnitKind = .segment
    ) -> NotableUnit {
        NotableUnit(
            rendition: "video", kind: kind, number: 1, start: start, duration: 4, finding: finding)
    }

    private func failed(_ code: StoreError.Code) -> HealthFacts {
        var facts = facts(state: .failed)
        facts.failure = AssetFailure(StoreError(code), at: now)
        return facts
    }

    private func gap(_ rendition: String, _ reason: String) -> RecordingGap {
        RecordingGap(
            rendition: rendition, number: 1, count: 2, start: 0, duration: 4, reason: reason, at: now)
    }

    @Test("another stream at the origin is told once: with its rendition, where a mixture was seen")
    func otherStream() {
        var facts = failed(.streamChanged("video", of: AssetToken(at: now)))
        let health = Health.judge(facts)
        #expect(health.level == .incomplete)
        #expect(health.problems.map(\.kind) == [.drifted] && health.problems.map(\.advice) == [.repair])
        facts.drifted = ("video", "two versions")
        let mixed = Health.judge(facts)
        #expect(mixed.level == .damaged)
        #expect(mixed.problems.map(\.kind) == [.drifted] && mixed.problems.map(\.rendition) == ["video"])
        #expect(mixed.problems.map(\.cause) == ["two versions"])
    }

    @Test("a failed download names its key, or its segment once its renditions are known")
    func failures() {
        let keyless = Health.judge(failed(.key(.missing)))
        #expect(keyless.problems.map(\.kind) == [.keyMissing] && keyless.problems.map(\.advice) == [.resume])
        var refused = failed(.status(404, retryAfter: nil))
        #expect(Health.judge(refused).problems.map(\.kind) == [.segmentMissing])
        refused.renditions = []
        #expect(Health.judge(refused) == Health(level: .incomplete))
        refused = failed(.status(404, retryAfter: nil))
        refused.state = .paused
        #expect(Health.judge(refused) == Health(level: .incomplete))
    }

    @Test("a failed download has the place of the segment that made it fail, from the beginning on")
    func failedPlace() {
        var facts = failed(.integrity(.changed))
        #expect(Health.judge(facts).problems.map(\.start) == [nil])
        facts.failedUnit = unit(8)
        let later = Health.judge(facts).problems
        #expect(later.map(\.rendition) == ["video"] && later.map(\.start) == [8])
        #expect(later.map(\.duration) == [4])
        // Two of its seconds are before the presentation.
        facts.failedUnit = unit(-2)
        let first = Health.judge(facts).problems
        #expect(first.map(\.start) == [0] && first.map(\.duration) == [2])
    }

    @Test("segments are one problem when the next one begins where the last one ends, but for rounding")
    func neighbors() {
        #expect(Health.judge(facts([unit(0), unit(4.005)])).problems.map(\.count) == [2])
        #expect(Health.judge(facts([unit(0), unit(3.995)])).problems.map(\.count) == [2])
        #expect(Health.judge(facts([unit(0), unit(4.02)])).problems.map(\.count) == [1, 1])
        let first = Health.judge(facts([unit(-2), unit(2)])).problems
        #expect(first.map(\.start) == [0] && first.map(\.duration) == [6])
    }

    @Test("initialization sections have no place in the presentation, and each is a problem of its own")
    func sections() {
        let section = unit(0, kind: .initialization)
        let problems = Health.judge(facts([section, section, unit(0)])).problems
        #expect(problems.map(\.count) == [1, 1, 1])
        #expect(problems.map(\.start) == [nil, nil, 0] && problems.map(\.duration) == [nil, nil, 4])
    }

    @Test("a hundred stretches are told in detail, and one more joins them")
    func limitOfStretches() {
        let units = (0...100).map { unit(Double($0) * 8) }
        #expect(Health.judge(facts(Array(units.dropLast()))).problems.count == 100)
        let joined = Health.judge(facts(units)).problems
        #expect(joined.map(\.count) == [101] && joined.map(\.duration) == [404])
    }

    @Test("a hundred gaps of a recording are told in detail, and one more joins those of one reason")
    func limitOfGaps() {
        var facts = facts()
        let gaps =
            Array(repeating: gap("video", "window"), count: 50)
            + Array(repeating: gap("video", "lost"), count: 50)
        facts.gaps = gaps
        #expect(Health.judge(facts).problems.count == 100)
        facts.gaps = gaps + [gap("audio", "window")]
        let joined = Health.judge(facts).problems
        #expect(joined.map(\.rendition) == ["video", "video", "audio"])
        #expect(joined.map(\.cause) == ["window", "lost", "window"])
        #expect(joined.map(\.count) == [100, 100, 2] && joined.map(\.duration) == [200, 200, 4])
    }

    @Test("a playlist is missed only when the asset is complete, since a download writes it first")
    func playlists() {
        for state in AssetState.allCases {
            var facts = facts(state: state)
            facts.brokenPlaylists = ["video"]
            let problems = Health.judge(facts).problems
            #expect(problems.map(\.kind) == (state == .complete ? [.playlistMissing] : []), "\(state)")
            #expect(problems.allSatisfy { $0.rendition == "video" && $0.advice == .repair })
        }
    }

    @Test("undecodable media are repaired, resumed, or beyond help where a folder was their only source")
    func undecodable() {
        func advice(_ facts: HealthFacts) -> [HealthProblem.Advice] {
            Health.judge(facts).problems.map(\.advice)
        }
        let units = [unit(0, .undecodable)]
        #expect(advice(facts(units)) == [.repair] && advice(facts(units, state: .paused)) == [.resume])
        var imported = facts(units)
        imported.isImported = true
        #expect(advice(imported) == [.none])
    }

    @Test("an expired license counts where all keys are stored")
    func license() {
        var facts = facts()
        facts.isExpired = true
        #expect(Health.judge(facts).problems.map(\.kind) == [.licenseExpired])
        #expect(Health.judge(facts).problems.map(\.advice) == [.licenseRenew])
        facts.missingKeys = 1
        #expect(Health.judge(facts).problems.map(\.kind) == [.keyMissing])
    }
}

@Suite("The renditions that an asset has lost")
struct LostRenditionTests {
    @Test("are fetched again, unless a subtitle file of the user's was their source")
    func advice() {
        let facts = HealthFacts(
            .complete,
            [
                Rows.rendition { ($0.name, $0.failure) = ("v", "not there") },
                Rows.rendition { ($0.name, $0.failure, $0.sourceFile) = ("s", "no cues", "s.srt") },
                Rows.rendition { ($0.name, $0.failure, $0.hasPlaylist) = ("c", "not there", false) },
            ])
        #expect(facts.renditions.map(\.name) == ["v", "s"])
        let problems = Health.judge(facts).problems
        #expect(problems.map(\.kind) == [.renditionLost, .renditionLost])
        #expect(problems.map(\.advice) == [.repair, .none])
    }

    @Test("are asked for again when the request named sound or subtitles that could not be read")
    func missed() {
        var facts = HealthFacts(state: .complete, renditions: [])
        facts.lost = [
            LostStream(kind: "audio", language: "de", reason: "not there"),
            LostStream(kind: "variant", bandwidth: 1_000_000, reason: "not there"),
        ]
        let problems = Health.judge(facts).problems
        #expect(problems.map(\.kind) == [.renditionLost] && problems.map(\.advice) == [.addTracks])
        #expect(problems.first?.cause?.hasPrefix("audio de ") == true)
    }
}
