import Testing

@testable import HTTPDaemon

@Suite("A crowd of connections")
struct CrowdTests {
    /// What is told when so many have come at most, and of these so many are left, one time after the other.
    private func told(_ peak: Int, leaving counts: [Int], _ crowd: inout Crowd) -> [Bool] {
        for count in 1...peak { crowd.came(count) }
        var told: [Bool] = []
        for count in counts { told.append(crowd.hasGone(leaving: count)) }
        return told
    }

    @Test("has gone when a quarter of it is left at most, and that is told once")
    func gone() {
        var crowd = Crowd()
        #expect(told(400, leaving: [101, 100, 0], &crowd) == [false, true, false])
    }

    @Test("is more than a few, and may come again")
    func again() {
        var crowd = Crowd()
        #expect(told(Crowd.least - 1, leaving: [0], &crowd) == [false])
        #expect(told(Crowd.least, leaving: [0], &crowd) == [true])
        #expect(told(Crowd.least, leaving: [0], &crowd) == [true])
    }
}
