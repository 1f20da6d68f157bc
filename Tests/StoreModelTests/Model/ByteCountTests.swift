import Testing

@testable import StoreModel

@Suite("A number of bytes as people write it")
struct ByteCountTests {
    @Test(
        "is read in powers of ten, and in powers of two with an i",
        arguments: [
            ("0", 0), ("17", 17), ("17b", 17), ("1k", 1000), ("1kB", 1000), ("1KiB", 1024),
            ("500M", 500_000_000),
            ("50GiB", 53_687_091_200), ("1.5T", 1_500_000_000_000), ("1ti", 1_099_511_627_776),
            ("999999999999999872", 999_999_999_999_999_872),
        ] as [(String, UInt64)])
    func read(_ text: String, _ bytes: UInt64) {
        #expect(ByteCount(text)?.bytes == bytes)
    }

    @Test(
        "is refused when it is negative, too large or not a number",
        arguments: [
            "", "b", "k", "-1", "1i", "1iB", "1x", "1kk", "1e18", "1000000T", "1000000000000000000", "nan",
        ])
    func refused(_ text: String) {
        #expect(ByteCount(text) == nil)
    }
}
