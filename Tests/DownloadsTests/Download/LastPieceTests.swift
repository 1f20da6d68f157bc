import StoreTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The last piece of a unit", .timeLimit(.minutes(1)))
struct LastPieceTests {
    /// The ranges that are requested of a unit in pieces of 5000 bytes.
    private func ranges(_ bytes: [UInt8], of range: ClosedOffsetRange? = nil) async throws -> [String] {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: bytes)
        let unit = range.map { Array(bytes[Int($0.offset)..<Int($0.offset + $0.length)]) } ?? bytes
        let fetched = try await UnitFetch(origin: origin, range: range, piece: 5000).run()
        #expect(fetched == unit)
        return origin.requests(for: UnitFetch.path).compactMap { $0.header("Range") }
    }

    @Test(
        "has all the rest if that is at most one and a half pieces",
        arguments: [
            (12_500, ["bytes=0-4999", "bytes=5000-12499"]),
            (12_501, ["bytes=0-4999", "bytes=5000-9999", "bytes=10000-12500"]),
        ])
    func rest(_ length: Int, _ expected: [String]) async throws {
        #expect(try await ranges(OriginResource.pattern(length, seed: 3)) == expected)
    }

    @Test(
        "is also the first one of a range of a resource that is at most one and a half pieces long",
        arguments: [
            (7500, ["bytes=1000-8499"]), (7501, ["bytes=1000-5999", "bytes=6000-8500"]),
        ] as [(UInt64, [String])])
    func range(_ length: UInt64, _ expected: [String]) async throws {
        let range = ClosedOffsetRange(offset: 1000, length: length)
        #expect(try await ranges(OriginResource.pattern(9000, seed: 3), of: range) == expected)
    }
}
