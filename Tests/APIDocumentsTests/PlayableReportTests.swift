import StoreModel
import Testing

@testable import APIDocuments

@Suite("The sentence on whether an asset plays")
struct PlayableReportTests {
    private func sentence(
        _ obstacles: [Availability.Obstacle], until: Double = 0, problems: [HealthProblem] = [],
        state: AssetState = .complete
    ) -> String {
        PlayableReport.sentence(
            Samples.ill(problems) {
                $0.state = state
                $0.availability = Availability(
                    offline: false, fromStartUntil: until, ranges: [], stored: [], blockedBy: obstacles)
            })
    }

    @Test("says that it plays, and names what is missing for good")
    func playing() {
        #expect(PlayableReport.sentence(Samples.asset()) == "plays with no network")
        let gap = Samples.problem(.gap) { $0.duration = 28 }
        #expect(
            PlayableReport.sentence(Samples.ill([gap]))
                == "plays with no network, but for 0:28 that are missing")
        let bucket = Samples.asset { $0.mediaPlace = "s3://films/store" }
        #expect(
            PlayableReport.sentence(bucket)
                == "plays without its origin, while s3://films/store can be reached")
    }

    @Test("says how much of it plays, and why not more")
    func parts() {
        let segments = "segments are not stored (\(Remedy.download) fetches them)"
        let part = "plays the first 0:12 of 1:00 with no network: \(segments)"
        #expect(sentence([.segmentsMissing], until: 12) == part)
        let license = "its license has expired (\(Remedy.renewLicense) gets a new one)"
        let nothing = "does not play with no network: \(segments), \(license)"
        #expect(sentence([.segmentsMissing, .licenseExpired]) == nothing)
    }

    @Test("gives no advice while the asset makes progress by itself")
    func underWay() {
        #expect(AssetState.allCases.filter(\.isUnderWay) == [.resolving, .queued, .downloading])
        let first = "segments are not stored yet"
        let second = "initialization sections are not stored yet"
        let progress = "does not play with no network: \(first), \(second)"
        for state in AssetState.allCases {
            let text = sentence([.segmentsMissing, .initializationMissing], state: state)
            #expect((text == progress) == state.isUnderWay, "\(state)")
        }
    }

    @Test("advises to ask for a missing key, unless only the user can have it")
    func keys() {
        let missing = "does not play with no network: a content key is missing"
        let given = "\(Remedy.addKey) gives one"
        let alone = Samples.whole(.keyMissing, advice: .addKey)
        #expect(sentence([.keyMissing], problems: [alone]) == "\(missing) (\(given))")
        let asked = "\(missing) (\(Remedy.renewLicense) asks for it, \(given))"
        let fetched = Samples.whole(.keyMissing, advice: .licenseRenew)
        #expect(sentence([.keyMissing], problems: [fetched]) == asked)
    }

    @Test("advises no repair of media that are the same in the imported folder")
    func folders() {
        let folder = sentence([.undecodable], problems: [Samples.problem(.undecodable)])
        #expect(folder.hasSuffix("which are the same in the imported folder"))
        let origin = sentence([.undecodable], problems: [Samples.problem(.undecodable, advice: .repair)])
        #expect(origin.hasSuffix("some of its segments (\(Remedy.repair) fetches them again)"))
    }

    @Test("has words of its own for each obstacle")
    func obstacles() {
        let all = Availability.Obstacle.allCases.map { sentence([$0]) }
        #expect(Set(all).count == all.count)
    }
}
