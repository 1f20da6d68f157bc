import HTTPDaemon
import Testing

@Suite("A Range field")
struct ByteRangeHeaderTests {
    @Test(
        "means the bytes RFC 9110 §14.1.2 says, of 10,000",
        arguments: [
            ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=-500", 9500..<10_000),
            ("bytes=9500-", 9500..<10_000), ("bytes=0-0", 0..<1), ("bytes=-1", 9999..<10_000),
            ("bytes=0-", 0..<10_000), ("bytes=-10000", 0..<10_000), ("bytes=-10001", 0..<10_000),
            ("bytes=0-9999", 0..<10_000), ("bytes=0-10000", 0..<10_000), ("bytes=9999-9999", 9999..<10_000),
            ("bytes=9999-20000", 9999..<10_000), ("BYTES=1-2", 1..<3), ("bytes= 1-2 ", 1..<3),
            ("bytes=,1-2,", 1..<3), ("bytes=0-99999999999999999999999", 0..<10_000),
            ("bytes=-99999999999999999999999", 0..<10_000), ("bytes=0001-0002", 1..<3),
        ] as [(String, Range<UInt64>)])
    func single(value: String, range: Range<UInt64>) throws {
        #expect(try #require(ByteRangeHeader(value)).resolve(size: 10_000) == .partial(range))
    }

    @Test(
        "is served in one piece when its ranges overlap or touch, else ignored",
        arguments: [
            ("bytes=0-4,5-9", .partial(0..<10)), ("bytes=5-9,0-4", .partial(0..<10)),
            ("bytes=0-9,2-3", .partial(0..<10)), ("bytes=500-600,601-999", .partial(500..<1000)),
            ("bytes=500-700,601-999", .partial(500..<1000)), ("bytes=0-0,-1", .full),
            ("bytes=0-4,6-9", .full), ("bytes=0-9,10000-", .partial(0..<10)),
            ("bytes=20000-,-0", .unsatisfiable), ("bytes=0-, -1", .partial(0..<10_000)),
        ] as [(String, ByteRangeHeader.Resolution)])
    func several(value: String, resolution: ByteRangeHeader.Resolution) throws {
        #expect(try #require(ByteRangeHeader(value)).resolve(size: 10_000) == resolution)
    }

    @Test(
        "outside of the representation can't be satisfied",
        arguments: ["bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=99999999999999999999999-"])
    func unsatisfiable(value: String) throws {
        #expect(try #require(ByteRangeHeader(value)).resolve(size: 10_000) == .unsatisfiable)
    }

    @Test("of an empty representation can't be satisfied, except by a suffix, which means all of it")
    func empty() throws {
        #expect(try #require(ByteRangeHeader("bytes=0-")).resolve(size: 0) == .unsatisfiable)
        #expect(try #require(ByteRangeHeader("bytes=-5")).resolve(size: 0) == .full)
    }

    @Test("reaches to the last byte of the largest representation")
    func largest() throws {
        let header = try #require(ByteRangeHeader("bytes=18446744073709551613-"))
        #expect(header.resolve(size: .max) == .partial(.max - 2 ..< .max))
    }

    @Test(
        "that is not valid is ignored",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes= ", "bytes=-", "bytes=--1", "bytes=a-b", "bytes=1",
            "bytes=5-4", "bytes=99999999999999999999999-99999999999999999999998", "bytes=1-2,5-4",
            "bytes=1-2;3-4",
            "bytes =0-1", "items=0-1", "bytes=+1-2", "bytes=1 - 2", "bytes=1-2-3", "bytes=0x1-2", "bytes:0-1",
            "bytes=١-٢",
        ])
    func invalid(value: String) { #expect(ByteRangeHeader(value) == nil) }

    @Test("with 65 ranges is ignored")
    func tooMany() {
        let ranges = (0..<65).map { "\($0 * 2)-\($0 * 2)" }
        #expect(ByteRangeHeader("bytes=" + ranges.dropLast().joined(separator: ",")) != nil)
        #expect(ByteRangeHeader("bytes=" + ranges.joined(separator: ",")) == nil)
    }

    @Test("is answered with a Content-Range")
    func contentRange() {
        #expect(ByteRangeHeader.contentRange(0..<500, size: 1234) == "bytes 0-499/1234")
        #expect(ByteRangeHeader.contentRange(unsatisfiedSize: 1234) == "bytes */1234")
    }
}
