import Glibc
import HTTPTypes
import Locking
import Testing

@testable import HTTPDaemon

@Suite("The room of a body source")
struct BodyWriterTests {
    /// A body read from a file descriptor.
    private final class FileSource: BodySource {
        let descriptor: Int32
        let error = Lock<ReadError?>(nil)
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        func read(
            into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void
        ) -> BodyStep {
            do throws(ReadError) {
                return try writer.append(contentsOf: descriptor, at: offset, limit: 10_007) > 0
                    ? .bytes : .end
            } catch {
                self.error.withLock { $0 = error }
                return .fail
            }
        }
    }

    @Test("is filled from a file, which reaches the client whole")
    func file() async throws {
        let folder = try TemporaryFolder()
        let bytes = testBytes(500_000)
        let descriptor = unsafe open(try folder.write(bytes), O_RDONLY)
        defer { close(descriptor) }
        let server = try TestServer { _ in .stream(FileSource(descriptor), length: 500_000) }
        #expect(try await server.get("/").body == bytes)
        truncate(descriptor, to: 1000)
        #expect(try await server.get("/").body == Array(bytes[..<1000]))
    }

    @Test("tells why a file can't be read")
    func unreadable() async throws {
        let source = FileSource(-1)
        let server = try TestServer { _ in .stream(source, length: 10) }
        #expect(try await server.get("/").body == [])
        #expect(source.error.withLock { $0 } == ReadError(errno: EBADF, offset: 0))
        #expect(
            ReadError(errno: EBADF, offset: 7).description == "cannot read at byte 7: Bad file descriptor")
    }

    @Test("takes as many bytes as fit")
    func fits() {
        unsafe withUnsafeTemporaryAllocation(byteCount: 5, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            let taken = [writer.append([1, 2, 3]), writer.append([4, 5, 6][...]), writer.append([7])]
            #expect(taken == [3, 2, 0])
            #expect(writer.remaining == 0)
            #expect(unsafe Array(buffer) == [1, 2, 3, 4, 5])
        }
    }

    private func truncate(_ descriptor: Int32, to size: Int) {
        let path = "/proc/self/fd/\(descriptor)"
        unsafe Glibc.truncate(path, size)
    }
}
