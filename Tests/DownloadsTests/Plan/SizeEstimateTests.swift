import ModelTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreModel

/// The estimated size of a download.
struct SizeEstimateTests {
    private func estimate(_ origin: OriginServer, _ path: String = "/v/index.m3u8") async throws
        -> SizeEstimate
    {
        let inspector = try StreamInspector(url: origin.url(path))
        let result: Result<StreamPreview, any Error>
        do { result = .success(try await inspector.preview(Selection())) } catch { result = .failure(error) }
        await inspector.close()
        return try result.get().size
    }

    @Test("byte ranges give it exactly, without a request for media")
    func byteRanges() async throws {
        let origin = try OriginServer()
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXTINF:4,
            #EXT-X-BYTERANGE:1000@0
            all.ts
            #EXTINF:4,
            #EXT-X-BYTERANGE:234
            all.ts
            #EXT-X-ENDLIST
            """
        origin.serve("/v/index.m3u8", text: text)
        #expect(
            try await estimate(origin)
                == SizeEstimate(low: 1234, likely: 1234, high: 1234, method: .byteRanges))
        #expect(origin.paths == ["/v/index.m3u8"])
    }

    @Test("few segments are all asked for their size, and then it is exact")
    func sampledAll() async throws {
        let origin = try OriginServer()
        let total = Int64(origin.serveStream("/v", count: 4).joined().count)
        #expect(
            try await estimate(origin)
                == SizeEstimate(low: total, likely: total, high: total, method: .sampled))
        #expect(origin.requests.allSatisfy { $0.path == "/v/index.m3u8" || $0.method == "HEAD" })
    }

    @Test("of many segments a few are asked, and the truth lies within the bounds")
    func sampledSome() async throws {
        let origin = try OriginServer()
        let total = Int64(origin.serveStream("/v", count: 60).joined().count)
        let size = try await estimate(origin)
        #expect(size.method == .sampled)
        #expect(size.low <= total && total <= size.high)
        #expect(size.low < size.likely && size.likely < size.high)
        #expect(origin.requests.count < 12)
    }

    @Test(
        "an origin that tells no sizes leaves the bit rate",
        arguments: [
            (",AVERAGE-BANDWIDTH=400000", SizeEstimate.Method.averageBandwidth, Int64(800_000)),
            ("", .bandwidth, 1_280_000),
        ])
    func bandwidth(_ more: String, _ method: SizeEstimate.Method, _ likely: Int64) async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 4)
        for number in 0..<4 { origin.fault("/v/s\(number).ts", .status(405)) }
        origin.serve(
            "/master.m3u8", text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\(more)\nv/index.m3u8\n")
        let size = try await estimate(origin, "/master.m3u8")
        #expect(size.method == method)
        #expect(size.likely == likely)
        #expect(size.high == 1_600_000)
        #expect(size.low == likely / 2)
    }
}
