import TestSupport
import Testing

@testable import Transfers

@Suite("Content codings")
struct ContentCodingTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("a playlist is asked for with gzip and handed on decoded")
    func gzip() async throws {
        let text = String(repeating: "#EXTINF:6,\nsegment.ts\n", count: 500)
        fixture.origin.serve("/a.m3u8", text: text)
        fixture.origin.fault("/a.m3u8", .gzip)
        var request = fixture.request("/a.m3u8")
        request.acceptedCoding = .gzip
        let (result, body) = try await fixture.loop.fetch(request)
        #expect(String(decoding: body, as: UTF8.self) == text)
        #expect(result.response.contentEncoding == "gzip")
        #expect(result.bytesOnWire < result.bytesReceived)
        #expect(fixture.origin.requests.first?.header("Accept-Encoding") == "gzip")
    }

    @Test("gzip without a request for it is decoded")
    func unasked() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(5_000))
        fixture.origin.fault("/a.ts", .gzip)
        #expect(try await fixture.loop.fetch(fixture.request("/a.ts")).1 == OriginResource.pattern(5_000))
    }

    @Test("a range of an encoded body is refused: its bytes cannot be decoded")
    func encodedRange() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(5_000))
        fixture.origin.fault("/a.ts", .gzip)
        var request = fixture.request("/a.ts")
        request.range = TransferRange(offset: 100)
        #expect(await fixture.failure(of: request) == .contentEncoding)
    }

    @Test(
        "other codings are refused before the first byte", arguments: ["br", "zstd", "gzip, gzip", "rot13"])
    func unknown(coding: String) async {
        #expect(await fixture.failure(under: .header("Content-Encoding: \(coding)")) == .contentEncoding)
    }

    @Test("broken gzip is an error")
    func broken() async {
        #expect(await fixture.failure(under: .header("Content-Encoding: gzip")) == .contentEncoding)
    }

    @Test("a hundred bytes are decoded for each one that was sent, and no more")
    func ratio() async throws {
        fixture.origin.fault("/zeros", .header("Content-Encoding: gzip"))
        for (count, code) in [(20_000, nil), (19_999, .decompressionRatio)] as [(Int, TransferError.Code?)] {
            fixture.origin.serve("/zeros", bytes: try zeros(packedInto: count))
            #expect(await fixture.failure(of: fixture.request("/zeros")) == code)
        }
    }

    /// Two million zeros, packed into as many bytes by a comment in the header (RFC 1952, 2.3).
    private func zeros(packedInto count: Int) throws -> [UInt8] {
        var packed = Gzip.compress([UInt8](repeating: 0, count: 2_000_000))
        try #require(packed.count > 10 && packed[3] == 0)
        packed[3] = 0x10
        packed.insert(contentsOf: [UInt8](repeating: 0x20, count: count - packed.count - 1) + [0], at: 10)
        return packed
    }

    @Test("100 MB packed into 100 kB are given up at the ratio, or at the cap if that is lower")
    func bomb() async {
        fixture.origin.serve(
            "/bomb", OriginResource(bytes: Gzip.compress([UInt8](repeating: 0, count: 100_000_000))))
        fixture.origin.fault("/bomb", .header("Content-Encoding: gzip"))
        var request = fixture.request("/bomb")
        request.maximumBodyBytes = 1_000_000_000
        let sink = RecordingSink()
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(request, into: sink)
        }
        #expect(error?.code == .decompressionRatio)
        request.maximumBodyBytes = 500_000
        #expect(await fixture.failure(of: request) == .tooLarge(limit: 500_000))
    }
}
