import ModelTestSupport
import Testing

@testable import StoreModel

/// The permanent names of assets.
struct AssetTokenTests {
    private func token(at milliseconds: Int64, random: UInt64 = 0) -> AssetToken {
        AssetToken(at: Timestamp(milliseconds: milliseconds)) { random }
    }

    @Test("a token is a ULID: the time as published for that format, then chance")
    func format() {
        // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
        #expect(token(at: 1_469_918_176_385).description == "01ARYZ6S410000000000000000")
        #expect(token(at: 0, random: 31).description == "0000000000ZZZZZZZZZZZZZZZZ")
    }

    @Test("tokens sort by age")
    func order() {
        let times: [Int64] = [0, 1, 31, 32, 1_469_918_176_385, 281_474_976_710_655]
        let tokens = times.map { token(at: $0, random: 5) }
        #expect(tokens == tokens.sorted())
        #expect(Set(tokens).count == tokens.count)
    }

    @Test("two tokens of the same moment differ")
    func chance() {
        let now = Timestamp(milliseconds: 1)
        let tokens = (0..<1000).map { _ in AssetToken(at: now) }
        #expect(Set(tokens).count == 1000)
    }

    @Test("a token is read in upper and lower case")
    func reading() {
        #expect(AssetToken("01aryz6s410000000000000000") == token(at: 1_469_918_176_385))
    }

    @Test(
        "a text that is not a token is refused",
        arguments: [
            "", "01ARYZ6S41", "01ARYZ6S4100000000000000000", "01ARYZ6S41000000000000000U",
            "01ARYZ6S41000000000000/../",
            "0000000000000000000000000é", "01ARYZ6S41000000000000000ß",
        ])
    func refused(_ text: String) {
        #expect(AssetToken(text) == nil)
    }
}
