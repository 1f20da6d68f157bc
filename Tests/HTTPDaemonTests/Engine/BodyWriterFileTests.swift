import Glibc
import Testing

@testable import HTTPDaemon

@Suite("A file that is read into the room of a body source")
struct BodyWriterFileTests {
    /// The bytes that are read into a room of six bytes, of which two are taken.
    private func read(_ descriptor: Int32, at offset: UInt64, limit: Int = .max) throws -> [UInt8] {
        try unsafe withUnsafeTemporaryAllocation(byteCount: 6, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            writer.append([7, 7])
            let count = try writer.append(contentsOf: descriptor, at: offset, limit: limit)
            let end = writer.count
            #expect(end == 2 + count)
            return unsafe Array(buffer[2..<end])
        }
    }

    @Test(
        "gives what fits, up to a limit, and nothing behind its end",
        arguments: [
            (0, .max, [0, 1, 2, 3]), (3, .max, [3, 4, 5, 6]), (3, 5, [3, 4, 5, 6]), (3, 4, [3, 4, 5, 6]),
            (3, 3, [3, 4, 5]), (3, 1, [3]), (3, 0, []), (3, -1, []), (6, .max, [6, 7, 8, 9]),
            (7, .max, [7, 8, 9]), (9, .max, [9]), (10, .max, []), (11, .max, []),
            (9_223_372_036_854_775_808, .max, []),
            (.max, .max, []),
        ] as [(UInt64, Int, [UInt8])])
    func part(offset: UInt64, limit: Int, bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let descriptor = unsafe open(try folder.write([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), O_RDONLY)
        defer { close(descriptor) }
        #expect(try read(descriptor, at: offset, limit: limit) == bytes)
    }

    @Test("is not read when nothing is wanted of it, or no file has so many bytes")
    func nothingWanted() throws {
        #expect(try read(-1, at: 0, limit: 0) == [])
        #expect(try read(-1, at: 0, limit: -1) == [])
        #expect(try read(-1, at: .max) == [])
        #expect(throws: ReadError(errno: EBADF, offset: 5)) { try read(-1, at: 5, limit: 1) }
    }

    @Test("is not read when there is no room")
    func noRoom() throws {
        let count = try unsafe withUnsafeTemporaryAllocation(byteCount: 3, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            writer.append([1, 2, 3])
            return try writer.append(contentsOf: -1, at: 0)
        }
        #expect(count == 0)
    }
}
