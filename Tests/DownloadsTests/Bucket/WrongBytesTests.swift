import Testing

@testable import Downloads

@Suite("Answers with other bytes than were stored")
struct WrongBytesTests {
    /// The verdicts on answers with these hashes, one after another.
    private func verdicts(_ hashes: [[UInt8]]) -> [WrongBytes.Verdict] {
        var bytes = WrongBytes()
        return hashes.map { bytes.verdict(on: $0) }
    }

    @Test("say that the object is damaged when two of them are the same, also with others in between")
    func damaged() {
        #expect(verdicts([[1], [1]]) == [.uncertain, .damaged])
        #expect(verdicts([[1], [2], [3], [4], [2]]).last == .damaged)
    }

    @Test("say after five of them, all different, that the network changes bytes")
    func changed() {
        let expected: [WrongBytes.Verdict] = [
            .uncertain, .uncertain, .uncertain, .uncertain, .changedOnTheWay,
        ]
        #expect(verdicts([[1], [2], [3], [4], [5]]) == expected)
    }
}
