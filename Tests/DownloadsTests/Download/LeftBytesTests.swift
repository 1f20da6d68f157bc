import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("A unit of which an earlier process has left bytes", .timeLimit(.minutes(1)))
struct LeftBytesTests {
    private static let resource = OriginResource.pattern(2000, seed: 9)

    /// Fetches a range of 500 bytes of which some are left; returns the requests.
    private func requests(_ count: Int, etag: String) async throws -> [OriginRequest] {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: Self.resource)
        let left = Array(Self.resource[1000..<1000 + count])
        let fetched = try await UnitFetch(
            origin: origin, range: ClosedOffsetRange(offset: 1000, length: 500),
            left: (bytes: left, etag: etag)
        ).run()
        #expect(fetched == Array(Self.resource[1000..<1500]))
        return origin.requests(for: UnitFetch.path)
    }

    @Test("is not asked for if all of them are there")
    func whole() async throws {
        #expect(try await requests(500, etag: "\"1\"").isEmpty)
    }

    @Test("is asked for on from there if it has a version, and from its start if that has changed")
    func changed() async throws {
        let requests = try await requests(200, etag: "\"1\"")
        #expect(requests.map { $0.header("Range") } == ["bytes=1200-1499"])
        #expect(requests.map { $0.header("If-Range") } == ["\"1\""])
    }

    @Test("is asked for from its start if the bytes can't be told from those of another version")
    func weak() async throws {
        let requests = try await requests(200, etag: "W/\"1\"")
        #expect(requests.map { $0.header("Range") } == ["bytes=1000-1499"])
        #expect(requests.map { $0.header("If-Range") } == [nil])
    }

    @Test(
        "is refused by its origin (416) where none of them are left: that is the origin's status, no change")
    func beyond() async throws {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: Self.resource)
        origin.fault(UnitFetch.path, .status(416))
        var code: StoreError.Code?
        do {
            _ = try await UnitFetch(origin: origin, range: ClosedOffsetRange(offset: 1000, length: 500)).run()
        } catch let error as StoreError {
            code = error.code
        }
        guard case .status(416, _)? = code else { throw CancellationError() }
    }
}
