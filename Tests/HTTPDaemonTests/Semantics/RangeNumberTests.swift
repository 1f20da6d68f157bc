import HTTPDaemon
import Testing

/// RFC 9110, section 14.1.1: a range whose last position is less than its first one is invalid.
@Suite("The numbers of a range")
struct RangeNumberTests {
    @Test(
        "are compared by their value, however many digits they have",
        arguments: [
            ("bytes=9-10", 9..<11), ("bytes=0009-10", 9..<11), ("bytes=09-0010", 9..<11),
            ("bytes=99-100", 99..<101), ("bytes=5-5", 5..<6), ("bytes=005-5", 5..<6),
            ("bytes=5-005", 5..<6), ("bytes=00-0", 0..<1),
        ] as [(String, Range<UInt64>)])
    func inOrder(value: String, range: Range<UInt64>) throws {
        #expect(try #require(ByteRangeHeader(value)).resolve(size: 10_000) == .partial(range))
    }

    @Test(
        "make no range when the last is less than the first",
        arguments: [
            "bytes=10-9", "bytes=10-0009", "bytes=0010-9", "bytes=100-99", "bytes=11-10", "bytes=1-0",
            "bytes=1-000",
        ])
    func outOfOrder(value: String) { #expect(ByteRangeHeader(value) == nil) }
}
