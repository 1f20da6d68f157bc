import Forwarding
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The room is that of ten answers.
@Suite("The room for answers that are shared", .timeLimit(.minutes(1)))
struct SharedRoomTests {
    private let origin: OriginServer

    init() throws { origin = try OriginServer() }

    private static func path(_ number: Int) -> String { "/shared/\(number).ts" }

    private func front(validity: Duration = .seconds(600)) throws -> Front {
        try Front(origin.url(""), size: 3_000_000, validity: validity)
    }

    /// Gets an answer of 300,000 bytes, which the origin has from now on.
    private func get(_ number: Int, _ front: Front, seed: UInt64 = 1) async throws {
        let (path, bytes) = (Self.path(number), OriginResource.pattern(300_000, seed: seed))
        origin.serve(path, bytes: bytes)
        origin.clearFaults(path)
        origin.fault(path, .header("Cache-Control: public, max-age=60"))
        #expect(try await front.exchange(path).has(bytes))
    }

    @Test("is used to its last byte, also after an answer has replaced a former one")
    func full() async throws {
        let front = try front(validity: .zero)
        for number in 0..<10 {
            try await get(number, front)
            if number == 5 { try await get(4, front, seed: 9) }
        }
        #expect(front.kept.count == 10)
        origin.forgetRequests()
        // An answer that is kept is confirmed; another one would be sent again.
        for _ in 0..<2 {
            for number in 0..<10 { _ = try await front.exchange(Self.path(number)) }
        }
        #expect(origin.requests.map(\.status) == [Int](repeating: 304, count: 20))
        await front.stop()
    }

    @Test(
        "belongs to the answers that were used last, not to those that came last",
        arguments: [Duration.seconds(600), .zero])
    func used(validity: Duration) async throws {
        let front = try front(validity: validity)
        for number in 0..<10 { try await get(number, front) }
        _ = try await front.exchange(Self.path(0))
        // The eleventh makes the two leave that were not used for the longest time.
        try await get(10, front)
        try await eventually { front.kept.count == 9 }
        origin.forgetRequests()
        for number in [0, 3, 10] { #expect(try await front.exchange(Self.path(number)).status == 200) }
        // An answer that is kept is confirmed where its confirmation no longer holds.
        #expect(origin.requests.map(\.status) == (validity == .zero ? [304, 304, 304] : []))
        origin.forgetRequests()
        for number in [1, 2] { #expect(try await front.exchange(Self.path(number)).status == 200) }
        #expect(origin.requests.map(\.status) == [200, 200])
        await front.stop()
    }

    @Test("is free again after all files were deleted")
    func emptied() async throws {
        let front = try front()
        for number in 0..<10 { try await get(number, front) }
        front.forwarder.empty()
        #expect(front.kept == [])
        origin.forgetRequests()
        for number in 0..<10 { try await get(number, front) }
        #expect(front.kept.count == 10 && origin.requests.count == 10)
        for _ in 0..<2 {
            for number in 0..<10 { _ = try await front.exchange(Self.path(number)) }
        }
        #expect(origin.requests.count == 10)
        await front.stop()
        #expect(front.kept == [])
    }

    @Test("is free at the start: the files of an earlier process are deleted")
    func former() async throws {
        let folder = try TemporaryDirectory()
        try folder.write([1, 2, 3], to: "kept/7")
        let forwarder = try RequestForwarder(folder: FilePath(folder.file("kept")), size: 1000)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("kept"))
        #expect(names == [])
        await forwarder.stop()
    }
}
