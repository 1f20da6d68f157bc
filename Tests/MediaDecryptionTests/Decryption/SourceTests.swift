import Glibc
import Locking
import SystemPackage
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreFiles
@testable import StoreModel

@Suite("Encrypted bytes of a stored file")
struct StoredSourceTests {
    private func word(_ step: ArrivingFile.Step) -> String {
        switch step {
        case .bytes(let bytes): "\(bytes)"
        case .wait: "wait"
        case .end: "end"
        case .failed: "failed"
        }
    }

    @Test("end behind the last one, and fail where the file was cut after it was opened")
    func borders() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write([1, 2, 3], to: "a")
        let file = try OpenedFile(FilePath(path))
        func read(_ offset: Int, _ count: Int) throws -> String {
            word(try file.read(at: offset, count: count))
        }
        #expect(file.count == 3)
        #expect(try read(0, 2) == "[1, 2]" && read(2, 9) == "[3]")
        #expect(try read(3, 1) == "end" && read(9, 1) == "end" && read(0, 0) == "[]")
        #expect(unsafe truncate(path, 2) == 0)
        #expect(try read(1, 9) == "[2]" && read(2, 1) == "failed" && read(3, 1) == "end")
    }

    @Test("are gathered as far as they are there, with the reason why there are no more")
    func gathering() throws {
        let source = EncryptedBytes([UInt8](repeating: 7, count: 2500), there: 2100)
        let some = try source.gather(at: 10, count: 1500)
        #expect(some.bytes.count == 1500 && some.state == .enough)
        let fewer = try source.gather(at: 2000, count: 200)
        #expect(fewer.bytes.count == 100 && fewer.state == .wait)
        source.grow(by: 400)
        let last = try source.gather(at: 2000, count: 900)
        #expect(last.bytes.count == 500 && last.state == .end)
        #expect(try source.gather(at: 2500, count: 0).state == .enough)
    }
}

@Suite("Media that are decrypted from their beginning")
struct StreamReaderTests {
    /// Counts the bytes that it gets, which come out as they are.
    private struct Counting: StreamDecryption {
        let taken = Lock(0)

        func append(_ bytes: [UInt8]) -> [UInt8] {
            taken.withLock { $0 += bytes.count }
            return bytes
        }

        func end() -> [UInt8] { [0xEE] }
    }

    @Test("are decrypted once as long as they are read in order, and again for an earlier place")
    func order() throws {
        let bytes = OriginResource.pattern(5000)
        let counting = Counting()
        var reader = StreamReader(counting)
        #expect(try reader.all(of: bytes, in: 300) == bytes + [0xEE])
        #expect(counting.taken.withLock(\.self) == 5000)
        #expect(try reader.all(of: bytes, from: 2000) == bytes[2000...] + [0xEE])
        #expect(counting.taken.withLock(\.self) == 10_000)
    }

    @Test("that are in the clear already are read from any place on")
    func ready() throws {
        let (reader, source) = (ReadyBytes(bytes: [1, 2, 3]), EncryptedBytes([]))
        func read(_ offset: Int, _ count: Int) -> [UInt8]? {
            if case .bytes(let bytes) = reader.read(at: offset, count: count, from: source) {
                Array(bytes)
            } else {
                nil
            }
        }
        #expect(read(0, 2) == [1, 2] && read(1, 9) == [2, 3] && read(2, 1) == [3])
        #expect(read(3, 1) == nil && read(9, 1) == nil)
    }
}
