import HTTPTypes
import TestSupport
import Testing

@testable import Transfers

@Suite("The content of an upload")
struct UploadBodyTests {
    private let folder: TemporaryDirectory
    private let content = OriginResource.pattern(10)
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = try folder.write(content, to: "file")
    }

    private func read(_ body: UploadBody) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        let isWhole = body.read { bytes += $0 }
        return (bytes, isWhole)
    }

    @Test("is read whole, of bytes and of a part of a file")
    func whole() {
        let some = read(.bytes(content))
        #expect(some.bytes == content && some.isWhole)
        let none = read(.bytes([]))
        #expect(none.bytes.isEmpty && none.isWhole)
        for range: Range<UInt64> in [0..<10, 3..<7, 9..<10, 10..<10, 0..<0] {
            let part = read(.file(path: path, range: range))
            #expect(part.bytes == Array(content[Int(range.lowerBound)..<Int(range.upperBound)]))
            #expect(part.isWhole)
        }
    }

    @Test("is not whole when the file is absent, or shorter than it was said to be")
    func broken() {
        let absent = read(.file(path: folder.file("none"), range: 0..<1))
        #expect(absent.bytes.isEmpty && !absent.isWhole)
        let short = read(.file(path: path, range: 8..<11))
        #expect(short.bytes == Array(content[8...]) && !short.isWhole)
        let beyond = read(.file(path: path, range: 10..<11))
        #expect(beyond.bytes.isEmpty && !beyond.isWhole)
    }

    @Test("is read in pieces of a mebibyte", arguments: [1 << 20, (1 << 20) + 1])
    func pieces(size: Int) throws {
        let large = OriginResource.pattern(size)
        let file = try folder.write(large, to: "large")
        var pieces: [[UInt8]] = []
        let isWhole = UploadBody.file(path: file, range: 0..<UInt64(size)).read { pieces.append($0) }
        #expect(isWhole && Array(pieces.joined()) == large)
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= 1 << 20 })
    }

    @Test("goes back to any place within the range, and to none beyond it")
    func rewound() throws {
        let file = try #require(UploadFile(path, 2..<8))
        #expect(next(of: file) == Array(content[2..<6]))
        #expect(next(of: file) == Array(content[6..<8]))
        #expect(next(of: file) == [])
        #expect(!file.rewind(to: 7))
        #expect(file.rewind(to: 6))
        #expect(next(of: file) == [])
        #expect(file.rewind(to: 5))
        #expect(next(of: file) == [content[7]])
        #expect(file.rewind(to: 0))
        #expect(next(of: file) == Array(content[2..<6]))
    }

    @Test("can't be rewound without a file")
    func nothing() throws {
        let transfer = try Transfer.unstarted()
        #expect(!transfer.rewind(to: 0))
        transfer.openUpload(path, 2..<8)
        #expect(transfer.failure == nil && transfer.rewind(to: 6) && !transfer.rewind(to: 7))
        transfer.openUpload(folder.file("none"), 0..<1)
        #expect(transfer.failure?.code == .unreadableBody && !transfer.rewind(to: 0))
    }

    @Test("that can't be read on ends its transfer, and not before")
    func sent() throws {
        let transfer = try Transfer.unstarted()
        transfer.openUpload(path, 8..<11)
        #expect(sent(by: transfer) == 2)
        #expect(transfer.failure == nil)
        #expect(sent(by: transfer) == nil)
        #expect(transfer.failure?.code == .unreadableBody)
    }

    /// How many bytes a transfer sends next, of four at most.
    private func sent(by transfer: Transfer) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 4)
        return unsafe buffer.withUnsafeMutableBytes { unsafe transfer.send(into: $0) }
    }

    /// The next bytes of a file, four at most.
    private func next(of file: UploadFile) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe file.read(into: $0) }
        return count.map { Array(buffer[..<$0]) }
    }
}

@Suite("A request with content")
struct ContentRequestTests {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        fixture.origin.serve("/a", bytes: [])
    }

    @Test("is sent again from its first byte when a connection that was kept is closed without an answer")
    func again() async throws {
        let folder = try TemporaryDirectory()
        let content = OriginResource.pattern(5_000)
        let path = try folder.write(content, to: "file")
        #expect(await fixture.failure(of: fixture.request("/a")) == nil)
        fixture.origin.fault("/a", .raw(""), times: 1)
        var request = fixture.request("/a")
        request.method = .put(.file(path: path, range: 100..<4_900))
        #expect(await fixture.failure(of: request) == nil)
        let requests = fixture.origin.requests
        #expect(requests.map(\.method) == ["GET", "PUT", "PUT"])
        #expect(requests.dropFirst().allSatisfy { $0.body == Array(content[100..<4_900]) })
        #expect(requests.map(\.connection) == [1, 1, 2])
    }

    @Test(
        "says that its type is not known, and one without content has no type",
        arguments: [
            (.get, "GET"), (.head, "HEAD"), (.delete, "DELETE"), (.options, "OPTIONS"),
            (.post(body: []), "POST"), (.patch(body: []), "PATCH"), (.put(.bytes([])), "PUT"),
            (.post(body: [1, 2]), "POST"), (.patch(body: [1, 2]), "PATCH"), (.put(.bytes([1, 2])), "PUT"),
        ] as [(TransferRequest.Method, String)])
    func types(method: TransferRequest.Method, name: String) async throws {
        var request = fixture.request("/a")
        request.method = method
        #expect(await fixture.failure(of: request) == nil)
        let sent = try #require(fixture.origin.requests.first)
        #expect(sent.method == name && sent.header("Expect") == nil)
        #expect(sent.header("Content-Type") == (sent.body.isEmpty ? nil : "application/octet-stream"))
        #expect(sent.body.isEmpty || sent.body == [1, 2])
    }

    @Test(
        "has the type that its fields name, with content and without", arguments: [[], [1, 2]] as [[UInt8]])
    func ownType(body: [UInt8]) async throws {
        for method: TransferRequest.Method in [.post(body: body), .patch(body: body), .put(.bytes(body))] {
            var request = fixture.request("/a")
            request.method = method
            request.headerFields = [.contentType: "text/plain"]
            #expect(await fixture.failure(of: request) == nil)
        }
        let requests = fixture.origin.requests
        #expect(requests.map { $0.header("Content-Type") } == ["text/plain", "text/plain", "text/plain"])
        #expect(requests.allSatisfy { $0.body == body })
    }

    @Test("of a file has a type as well, unless no byte of it is sent")
    func fileTypes() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write([1, 2, 3], to: "file")
        for range: Range<UInt64> in [0..<3, 1..<1] {
            var request = fixture.request("/a")
            request.method = .put(.file(path: path, range: range))
            #expect(await fixture.failure(of: request) == nil)
        }
        let types = fixture.origin.requests.map { $0.header("Content-Type") }
        #expect(types == ["application/octet-stream", nil])
    }
}
