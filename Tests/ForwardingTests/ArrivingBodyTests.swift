import StoreFiles
import SystemPackage
import TestSupport
import Testing

@testable import Forwarding
@testable import HTTPDaemon

@Suite("The body of a segment that arrives")
struct ArrivingBodyTests {
    private let folder: TemporaryDirectory
    private let file: PartialFile

    init() throws {
        folder = try TemporaryDirectory()
        file = try PartialFile(creating: FilePath(folder.file("1.ts.part")))
        try unsafe file.append(Array(UInt8(0)..<10).span.bytes)
    }

    /// What a read gives: the bytes, or how the body goes on.
    private func read(_ body: ArrivingBody, at offset: UInt64, room: Int) -> String {
        unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            switch body.read(into: &writer, at: offset, wake: {}) {
            case .bytes: return "\(unsafe Array(buffer[..<writer.count]))"
            case .wait: return "wait"
            case .end: return "end"
            case .fail: return "fail"
            }
        }
    }

    @Test("has the bytes of its range, as many as there is room for")
    func range() {
        let body = ArrivingBody(ArrivingFile(file), from: 2, to: 6)
        #expect(read(body, at: 0, room: 100) == "[2, 3, 4, 5]")
        #expect(read(body, at: 1, room: 2) == "[3, 4]")
        #expect(read(body, at: 4, room: 100) == "end")
    }

    @Test("ends with the file, or waits for more of it")
    func open() {
        let body = ArrivingBody(ArrivingFile(file), from: 8, to: nil)
        #expect(read(body, at: 0, room: 100) == "[8, 9]")
        #expect(read(body, at: 2, room: 100) == "wait")
        file.finish(.complete)
        #expect(read(body, at: 2, room: 100) == "end")
    }

    @Test("breaks off if the file ends before its range does, or was given up")
    func short() throws {
        let body = ArrivingBody(ArrivingFile(file), from: 8, to: 12)
        #expect(read(body, at: 2, room: 100) == "wait")
        file.finish(.complete)
        #expect(read(body, at: 2, room: 100) == "fail")
        let other = try PartialFile(creating: FilePath(folder.file("2.ts.part")))
        let broken = ArrivingBody(ArrivingFile(other), from: 0, to: nil)
        other.finish(.failed(nil))
        #expect(read(broken, at: 0, room: 100) == "fail")
    }
}
