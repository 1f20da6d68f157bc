import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("Programs and codings", .timeLimit(.minutes(1)))
struct ProgramTests {
    @Test("a program that runs in our terminal has its status, or 128 plus the signal that ended it")
    func statuses() async {
        #expect(await ChildProgram.run(["true"]) == 0)
        #expect(await ChildProgram.run(["sh", "-c", "exit 7"]) == 7)
        #expect(await ChildProgram.run(["sh", "-c", "kill -TERM $$"]) == 128 + SIGTERM)
        #expect(await ChildProgram.run(["/no/such/program"]) != 0)
        #expect(
            ChildProgram.status(0) == 0 && ChildProgram.status(3 << 8) == 3 && ChildProgram.status(9) == 137)
    }

    @Test("a program whose answer is no longer needed is ended only if that was requested")
    func unwanted() async throws {
        #expect(
            !ExternalCommand(words: ["true"]).endsWithTask && ExternalCommand(words: ["true"]).seconds == 30)
        let task = Task { await ExternalCommand(words: ["sh", "-c", "sleep 0.2; echo done"]).run(input: []) }
        task.cancel()
        #expect(await task.value.status == 0)
        let ended = Task {
            await ExternalCommand(words: ["sleep", "100"], endsWithTask: true).run(input: [])
        }
        ended.cancel()
        #expect(await ended.value.status == nil)
    }

    @Test("gzip is undone in pieces, to its end and no further")
    func gzip() throws {
        let plain = [UInt8](repeating: 7, count: 700_000)
        let packed = TestSupport.Gzip.compress(plain)
        let decoder = try #require(Decompressor(.gzip))
        #expect(!decoder.isEnded)
        var result: [UInt8] = []
        for start in stride(from: 0, to: packed.count, by: 50) {
            let piece = Array(packed[start..<min(start + 50, packed.count)])
            #expect(try decoder.decode(piece) { result += $0 })
            #expect(decoder.isEnded == (start + 50 >= packed.count))
        }
        #expect(result == plain)
        #expect(try decoder.decode([1, 2, 3]) { result += $0 })
        #expect(result == plain)
    }

    @Test(
        "bytes that are not gzip are reported",
        arguments: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Array("plain text".utf8)])
    func broken(_ bytes: [UInt8]) throws {
        let decoder = try #require(Decompressor(.gzip))
        #expect(try !decoder.decode(bytes) { _ in })
        #expect(!decoder.isEnded)
    }
}
