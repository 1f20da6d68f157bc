import Forwarding
import StoreFiles
import SystemPackage
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("The body of an answer that is still arriving")
struct ArrivingBodyTests {
    private let folder: TemporaryDirectory
    private let file: PartialFile
    private let bytes = OriginResource.pattern(100)

    init() throws {
        folder = try TemporaryDirectory()
        file = try PartialFile(creating: FilePath(folder.file("1.ts.part")))
        let bytes = bytes
        try unsafe file.append(bytes.span.bytes)
    }

    /// The bytes that one read gives.
    private func read(_ body: ArrivingBody, room: Int, at offset: UInt64) -> [UInt8] {
        unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            _ = body.read(into: &writer, at: offset, wake: {})
            let end = writer.count
            return unsafe Array(buffer[0..<end])
        }
    }

    @Test("has the bytes of its range and no others, however large the room is")
    func range() {
        let body = ArrivingBody(ArrivingFile(file), from: 10, to: 20)
        #expect(read(body, room: 50, at: 0) == Array(bytes[10..<20]))
        #expect(read(body, room: 50, at: 6) == Array(bytes[16..<20]))
        #expect(read(body, room: 50, at: 10) == [])
        #expect(read(body, room: 4, at: 3) == Array(bytes[13..<17]))
    }
}
