import MediaContainers
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Which segments of a stretch are unlike the others.
struct StreamTallyTests {
    /// What segments are found to be one after the other, each of a codec and with a share of what EXTINF says.
    private func findings(_ segments: [(codec: UInt8?, share: Double)]) -> [UnitFinding?] {
        var tally = StreamTally()
        return segments.enumerated().map { number, segment in
            tally.take(
                TransportOutline(pictures: segment.codec.map { [$0] } ?? [], span: segment.share * 6),
                of: number, duration: 6, isLast: false)
        }
    }

    @Test("one odd segment among three others is reported, and among two is not")
    func stranger() {
        #expect(findings([(0x1B, 1), (0x1B, 1), (0x1B, 1), (nil, 1)]) == [nil, nil, nil, .otherPictures])
        #expect(findings([(0x1B, 1), (0x1B, 1), (0x24, 1)]) == [nil, nil, nil])
    }

    @Test("an oddity that occurs again and again is normal for the stream")
    func habit() {
        let mixed = (0..<40).map { ($0.isMultiple(of: 2) ? UInt8(0x1B) : nil, 1.0) }
        #expect(findings(mixed).allSatisfy { $0 == nil })
        let rare = (0..<60).map { ($0 % 6 == 5 ? nil : UInt8(0x1B), 1.0) }
        #expect(findings(rare).count { $0 != nil } == StreamTally.agreement)
    }

    @Test("a segment is short below three fifths of its declared duration, if its neighbors are not")
    func short() {
        let usual = (codec: UInt8?(0x1B), share: 0.99)
        #expect(findings([usual, usual, usual, (0x1B, 0.59)]).last == .short)
        for share in [StreamTally.shortShare, 0.61] {
            #expect(findings([usual, usual, usual, (0x1B, share)]).last == UnitFinding?.none)
        }
        #expect(findings([(0x1B, 0.5), (0x1B, 0.5), (0x1B, 0.5), (0x1B, 0.5)]).allSatisfy { $0 == nil })
    }

    @Test("an odd segment that came first is named once when the others have come")
    func late() {
        var tally = StreamTally()
        func take(_ codec: UInt8, _ number: Int) -> UnitFinding? {
            tally.take(
                TransportOutline(pictures: [codec], span: 6), of: number, duration: 6, isLast: false)
        }
        _ = take(0x24, 0)
        for number in 1...3 {
            #expect(tally.late.isEmpty)
            _ = take(0x1B, number)
        }
        #expect(tally.late.map(\.number) == [0] && tally.late.map(\.finding) == [.otherPictures])
        let isNews = tally.tell(0)
        #expect(isNews && tally.late.isEmpty)
        #expect(take(0x24, 0) == .otherPictures)
        #expect(take(0x1B, 0) == nil && tally.late.isEmpty)
    }

    @Test("three early odd segments are named after nine others, and four never")
    func lateGroup() {
        func late(_ strangers: Int) -> [Int] {
            var tally = StreamTally()
            for number in 0..<(strangers + 9) {
                let codec: UInt8 = number < strangers ? 0x24 : 0x1B
                _ = tally.take(
                    TransportOutline(pictures: [codec], span: 6), of: number, duration: 6, isLast: false)
            }
            return tally.late.map(\.number)
        }
        #expect(late(3) == [0, 1, 2] && late(4) == [])
    }

    @Test("others prove a segment short if their time stamps fill most of the durations that they declare")
    func whole() {
        /// What a segment of half its duration is found to be behind three with a share of theirs.
        func finding(behind share: Double, of duration: Double) -> UnitFinding? {
            var tally = StreamTally()
            for number in 0..<3 {
                _ = tally.take(
                    TransportOutline(pictures: [0x1B], span: share * 6), of: number, duration: duration,
                    isLast: false)
            }
            return tally.take(
                TransportOutline(pictures: [0x1B], span: 3), of: 3, duration: 6, isLast: false)
        }
        #expect(finding(behind: 0.86, of: 6) == .short)
        #expect(finding(behind: StreamTally.wholeShare, of: 6) == nil)
        #expect(finding(behind: 1, of: 0) == nil)
    }
}
