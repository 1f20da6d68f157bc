import TestSupport
import Testing

@testable import Transfers

@Suite("An upload")
struct UploadTests {
    private func put(_ body: UploadBody, _ fixture: Fixture) async -> TransferError.Code? {
        var request = fixture.request("/a")
        request.method = .put(body)
        return await fixture.failure(of: request)
    }

    @Test("sends bytes with their length")
    func bytes() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a", bytes: [])
        let body = OriginResource.pattern(300_000)
        #expect(await put(.bytes(body), fixture) == nil)
        #expect(await put(.bytes([]), fixture) == nil)
        let requests = fixture.origin.requests
        #expect(requests.map(\.method) == ["PUT", "PUT"] && requests.map(\.body) == [body, []])
        #expect(requests.map { $0.header("Content-Length") } == ["300000", "0"])
        #expect(requests.allSatisfy { $0.header("Expect") == nil && $0.header("Transfer-Encoding") == nil })
    }

    @Test("sends a file, or a part of it, on one connection after the other")
    func files() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a", bytes: [])
        let folder = try TemporaryDirectory()
        let content = OriginResource.pattern(700_000)
        let path = try folder.write(content, to: "file")
        for range: Range<UInt64> in [0..<700_000, 100_000..<650_000, 5..<5] {
            #expect(await put(.file(path: path, range: range), fixture) == nil)
        }
        let requests = fixture.origin.requests
        let sent = [content, Array(content[100_000..<650_000]), []]
        #expect(requests.map(\.body) == sent && requests.allSatisfy { $0.method == "PUT" })
        #expect(requests.map { $0.header("Content-Length") } == ["700000", "550000", "0"])
    }

    @Test("of a file that is gone or shorter than it was said to be fails, and nothing hangs")
    func unreadable() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a", bytes: [])
        let folder = try TemporaryDirectory()
        let path = try folder.write(OriginResource.pattern(1000), to: "file")
        #expect(await put(.file(path: folder.file("none"), range: 0..<10), fixture) == .unreadableBody)
        #expect(await put(.file(path: path, range: 0..<1001), fixture) == .unreadableBody)
        #expect(await put(.file(path: path, range: 0..<1000), fixture) == nil)
    }

    @Test("that the server refuses gets the answer")
    func refused() async throws {
        let fixture = try Fixture()
        let folder = try TemporaryDirectory()
        let path = try folder.write(OriginResource.pattern(1 << 20), to: "file")
        var request = fixture.request("/none")
        request.method = .put(.file(path: path, range: 0..<1 << 20))
        #expect(try await fixture.loop.fetch(request).0.response.status == 404)
    }

    @Test("is followed by correct downloads")
    func reuse() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a", bytes: OriginResource.pattern(5000))
        let folder = try TemporaryDirectory()
        let path = try folder.write(OriginResource.pattern(1000), to: "file")
        for _ in 0..<3 {
            #expect(await put(.file(path: path, range: 0..<1000), fixture) == nil)
            #expect(try await fixture.loop.fetch(fixture.request("/a")).1 == OriginResource.pattern(5000))
            var request = fixture.request("/a")
            request.method = .delete
            #expect(await fixture.failure(of: request) == nil)
        }
        let methods = Array(repeating: ["PUT", "GET", "DELETE"], count: 3).flatMap { $0 }
        #expect(fixture.origin.requests.map(\.method) == methods)
    }
}
