import StoreTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

/// Units that are requested in pieces, aborted and resumed.
struct PieceTests {
    private func origin(_ bytes: [UInt8]) throws -> OriginServer {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: bytes)
        return origin
    }

    @Test("a unit comes in pieces, none of its bytes twice, and a small rest with the last of them")
    func pieces() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        #expect(try await UnitFetch(origin: origin, piece: 5000).run() == bytes)
        let asked = origin.requests(for: UnitFetch.path).compactMap { $0.header("Range") }
        #expect(asked == ["bytes=0-4999", "bytes=5000-9999", "bytes=10000-15999"])
    }

    @Test("a unit that is a range of a resource comes in pieces of it")
    func piecesOfRange() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(OriginResource.pattern(1000, seed: 4) + bytes + [1, 2, 3])
        let range = ClosedOffsetRange(offset: 1000, length: 16000)
        #expect(try await UnitFetch(origin: origin, range: range, piece: 9000).run() == bytes)
        #expect(origin.requests(for: UnitFetch.path).count == 2)
    }

    @Test("a unit of which an earlier process has left all bytes is not requested again")
    func leftWhole() async throws {
        let bytes = OriginResource.pattern(5000, seed: 3)
        let origin = try origin(bytes)
        let tag = try #require(OriginResource(bytes: bytes).etag)
        var fetch = UnitFetch(origin: origin, range: ClosedOffsetRange(offset: 0, length: 5000), piece: 9000)
        fetch.left = (bytes, tag)
        #expect(try await fetch.run() == bytes && origin.requests.isEmpty)
        fetch.left = (Array(bytes.prefix(4000)), tag)
        #expect(try await fetch.run() == bytes)
        #expect(origin.requests.compactMap { $0.header("Range") } == ["bytes=4000-4999"])
    }

    @Test(
        "an origin that answers ranges wrongly is asked for the whole segment, and the stored bytes are right",
        arguments: [
            OriginFault.ignoreRange, .contentRange("bytes 0-4999/*"), .contentRange("bytes 3-5002/16000"),
            .truncate(after: 900), .reset(after: 900),
        ])
    func trouble(_ fault: OriginFault) async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(UnitFetch.path, fault, times: 2)
        #expect(try await UnitFetch(origin: origin, piece: 5000).run() == bytes)
    }

    @Test("pieces of two versions are never put together")
    func changed() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(UnitFetch.path, .changingETag, times: 2)
        #expect(try await UnitFetch(origin: origin, piece: 5000).run() == bytes)
    }

    @Test("a unit that is aborted is resumed, none of its bytes twice")
    func brokenOff() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(UnitFetch.path, .stall(after: 9000), times: 1)
        let fetched = try await UnitFetch(origin: origin).run { file, leash in
            while file.watermark < 9000 { try await Task.sleep(for: .milliseconds(5)) }
            leash.interrupt()
        }
        #expect(fetched == bytes)
        let asked = origin.requests(for: UnitFetch.path)
        #expect(asked.map(\.offset) == [0, 9000])
        #expect(asked.map(\.bytesSent) == [9000, 7000])
        #expect(asked.last?.header("If-Range") != nil)
    }
}
