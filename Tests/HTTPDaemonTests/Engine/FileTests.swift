import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A file response")
struct FileTests {
    private let folder: TemporaryFolder
    private let bytes = testBytes(3_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ file: MappedFile) throws -> TestServer {
        let representation = Representation(size: file.size, entityTag: EntityTag(strong: "f"))
        return try TestServer { request in
            .response(
                representation.response(to: request, headers: [:], now: HTTPDate(seconds: 0)) {
                    .file(file, $0 ?? 0..<file.size)
                })
        }
    }

    @Test("is the file")
    func whole() async throws {
        let server = try serve(MappedFile(path: folder.write(bytes)))
        #expect(try await server.get("/").body == bytes)
    }

    @Test(
        "of a range is that part (nginx range.t)",
        arguments: [
            ("bytes=0-8", 0..<9, "bytes 0-8/3000000"),
            ("bytes=-10", 2_999_990..<3_000_000, "bytes 2999990-2999999/3000000"),
            ("bytes=2999999-", 2_999_999..<3_000_000, "bytes 2999999-2999999/3000000"),
            ("bytes=0-4,2-6", 0..<7, "bytes 0-6/3000000"),
            ("bytes=1000000-99999999", 1_000_000..<3_000_000, "bytes 1000000-2999999/3000000"),
        ])
    func range(value: String, part: Range<Int>, contentRange: String) async throws {
        let server = try serve(MappedFile(path: folder.write(bytes)))
        let reply = try await server.get("/", "Range: \(value)")
        #expect(reply.status == 206)
        #expect(reply.header("Content-Range") == contentRange)
        #expect(reply.header("Content-Length") == "\(part.count)")
        #expect(reply.body == Array(bytes[part]))
    }

    @Test("of an impossible range is 416 with the size; of several ranges it is the whole file")
    func impossible() async throws {
        let server = try serve(MappedFile(path: folder.write(bytes)))
        let reply = try await server.get("/", "Range: bytes=3000000-")
        #expect(reply.status == 416)
        #expect(reply.header("Content-Range") == "bytes */3000000")
        #expect(try await server.get("/", "Range: bytes=0-0,5-5").status == 200)
        #expect(try await server.get("/", "Range: bytes=0-0", "If-Range: \"other\"").body == bytes)
    }

    @Test("of an empty file is empty")
    func empty() async throws {
        let server = try serve(MappedFile(path: folder.write([])))
        let reply = try await server.get("/")
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "0")
        let part = try await server.get("/", "Range: bytes=0-")
        #expect(part.status == 416)
        #expect(part.header("Content-Range") == "bytes */0")
        let last = try await server.get("/", "Range: bytes=-5")
        #expect(last.status == 200 && last.header("Content-Range") == nil)
    }

    @Test("goes on after the file was removed or replaced")
    func removed() async throws {
        let path = try folder.write(bytes)
        let server = try serve(MappedFile(path: path))
        unsafe unlink(path)
        _ = try folder.write([1, 2, 3])
        #expect(try await server.get("/").body == bytes)
    }

    @Test("ends its connection when the file is truncated meanwhile, and no other")
    func truncated() async throws {
        let large = [UInt8](repeating: 7, count: 30_000_000)
        let path = try folder.write(large)
        let server = try serve(MappedFile(path: path))
        let other = try serve(MappedFile(path: folder.write(bytes, name: "b")))
        let client = try server.client(receiveBuffer: 4096)
        let received = try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive(until: "\r\n\r\n")
            unsafe truncate(path, 4096)
            return try client.receiveAll().count
        }
        #expect(received < large.count)
        #expect(try await server.get("/", "Range: bytes=0-9").body == Array(large[..<10]))
        #expect(try await other.get("/").body == bytes)
    }

    @Test("lives as long as a client receives it")
    func lifetime() async throws {
        let path = try folder.write(bytes)
        let server = try TestServer { _ in
            guard let file = try? MappedFile(path: path) else { return .text("", status: .notFound) }
            return .response(Response(status: .ok, body: .file(file, 0..<file.size)))
        }
        for _ in 0..<20 { #expect(try await server.get("/").body == bytes) }
        let mappings = try MappedFile.mappings(of: path)
        #expect(mappings == 0)
    }

    @Test("can only be made from a regular file")
    func regularOnly() throws {
        let path = try folder.write(bytes)
        unsafe symlink(path, "\(folder.path)/b")
        #expect(throws: MappedFileError(call: "open", errno: ELOOP, path: "\(folder.path)/b")) {
            try MappedFile(path: "\(folder.path)/b")
        }
        unsafe unlink("\(folder.path)/b")
        unsafe mkfifo("\(folder.path)/b", 0o600)
        #expect(throws: MappedFileError(notRegular: "\(folder.path)/b")) {
            try MappedFile(path: "\(folder.path)/b")
        }
        #expect(throws: MappedFileError(notRegular: folder.path)) { try MappedFile(path: folder.path) }
        #expect(throws: MappedFileError(call: "open", errno: ENOENT, path: "/nowhere")) {
            try MappedFile(path: "/nowhere")
        }
    }
}

extension MappedFile {
    /// How many mappings of the file at `path` this process has.
    fileprivate static func mappings(of path: String) throws -> Int {
        let descriptor = unsafe open("/proc/self/maps", O_RDONLY)
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = unsafe Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0.hasSuffix(path) }
    }
}
