import Testing

@testable import StoreModel

@Suite("The finding about a unit")
struct UnitFindingTests {
    private let media: [UnitFinding] = [
        .transportStream, .mp4, .adts, .mpegAudio, .ac3, .eac3, .webVTT, .picture,
    ]
    private let others: [UnitFinding] = [
        .sealed, .unknown, .undecodable, .gap, .otherPictures, .short, .gone, .damaged,
    ]
    private var all: [UnitFinding] { media + others }

    @Test("says whether the media are known, odd, damaged or absent")
    func kinds() {
        #expect(all.filter(\.isKnownMedia) == media)
        #expect(all.filter(\.isNotableMedia) == [.unknown, .undecodable, .otherPictures, .short])
        #expect(all.filter(\.isDamage) == [.undecodable, .gone, .damaged])
        #expect(all.filter(\.isOfAbsence) == [.gone, .damaged])
        #expect(all.filter { $0.oddity != nil } == [.otherPictures, .short])
    }

    private func notable(
        _ presence: UnitFacts.Presence, _ finding: UnitFinding? = nil, of state: AssetState = .complete
    ) -> UnitFinding? {
        UnitFacts(kind: .segment, start: 0, duration: 4, presence: presence, finding: finding)
            .notable(of: state)
    }

    @Test("is reported of a stored unit when its media are odd, or its object in the bucket is absent")
    func stored() {
        #expect(notable(.stored) == nil)
        let reported: [UnitFinding] = [.unknown, .undecodable, .otherPictures, .short, .gone, .damaged]
        for finding in all {
            let expected = reported.contains(finding) ? finding : nil
            #expect(notable(.stored, finding) == expected, "\(finding)")
        }
    }

    @Test("is reported of a missing unit only when the asset is complete")
    func missing() {
        for state in AssetState.allCases {
            let isComplete = state == .complete
            #expect(notable(.missing, of: state) == (isComplete ? .gone : nil), "\(state)")
            for finding in [.gone, .damaged, .undecodable] as [UnitFinding] {
                #expect(notable(.missing, finding, of: state) == (isComplete ? finding : nil), "\(state)")
            }
        }
    }

    @Test("is that of the file where the file is gone, changed, or never was")
    func files() {
        #expect(notable(.damaged(isGone: true), of: .paused) == .gone)
        #expect(notable(.damaged(isGone: false), of: .paused) == .damaged)
        #expect(notable(.gap, of: .paused) == .gap)
    }
}
