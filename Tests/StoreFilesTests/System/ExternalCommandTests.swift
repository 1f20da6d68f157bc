import Glibc
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreFiles

@Suite(.timeLimit(.minutes(1)))
struct ExternalCommandTests {
    @Test("a program gets its input and its variables, and its answer and status come back")
    func answer() async {
        let command = ExternalCommand(
            words: ["sh", "-c", "cat; printf %s \"$A\"; exit 3"], environment: ["A": "b"])
        let outcome = await command.run(input: Array("in ".utf8))
        #expect(outcome.status == 3)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "in b")
    }

    @Test("a program has three descriptors, also if more are open here, and no ignored signals")
    func surroundings() async throws {
        // What a library opened, and did not keep to itself.
        let stray = unsafe open("/dev/null", O_RDONLY)
        defer { close(stray) }
        let looking = "ls /proc/$$/fd; grep SigIgn /proc/$$/status"
        let outcome = await ExternalCommand(words: ["sh", "-c", looking]).run(input: [])
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.dropLast() == ["0", "1", "2"])
        let signals = try #require(lines.last?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        // What follows the first 31 is the C library's, or has no name.
        #expect(signals & 0x7FFF_FFFF == 0)
    }

    @Test("a program that ends with the status of a missing program still has that status")
    func oddStatus() async {
        for status: Int32 in [126, 127, 137] {
            let outcome = await ExternalCommand(words: ["sh", "-c", "echo answer; exit \(status)"]).run(
                input: [])
            #expect(outcome.status == status)
            #expect(outcome.output == Array("answer\n".utf8))
        }
    }

    @Test("a program that reads nothing and one that prints too much are handled")
    func misfits() async {
        let deaf = await ExternalCommand(words: ["true"]).run(input: [UInt8](repeating: 0, count: 1 << 20))
        #expect(deaf.status == 0)
        let loud = await ExternalCommand(words: ["head", "-c", "3000000", "/dev/zero"]).run(input: [])
        #expect(loud.output.count == ExternalCommand.outputLimit)
    }

    @Test("a program whose answer is no longer needed is ended with its children")
    func cancelled() async throws {
        let folder = try TemporaryDirectory()
        // What it has started holds the pipe of its answer, too.
        let script = "sleep 1000 & : >\(folder.file("started")); wait"
        let command = ExternalCommand(words: ["sh", "-c", script], seconds: 1000, endsWithTask: true)
        let task = Task { await command.run(input: []) }
        try await eventually { (try? folder.read("started")) != nil }
        task.cancel()
        #expect(await task.value.status == nil)
        let unborn = Task { await command.run(input: []) }
        unborn.cancel()
        #expect(await unborn.value.status == nil)
    }

    @Test("a program that does not end is ended, and a missing one has no status")
    func noStatus() async {
        var endless = ExternalCommand(words: ["sleep", "1000"])
        endless.seconds = 0.1
        #expect(await endless.run(input: []).status == nil)
        // Its child has the pipe of the answer, too.
        endless.words = ["sh", "-c", "sleep 1000; true"]
        #expect(await endless.run(input: []).status == nil)
        for absent in ["/no/such/program", "no-such-program", "/etc/passwd"] {
            #expect(await ExternalCommand(words: [absent]).run(input: []).status == nil)
        }
    }
}
