import Dispatch
import Glibc
import Locking
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("A change of files in a folder by other programs", .timeLimit(.minutes(1)))
struct FolderWatchTests {
    private let folder: TemporaryDirectory
    private let seen = Lock<[FolderWatch.Change]>([])

    init() throws { folder = try TemporaryDirectory() }

    private func watch() throws -> FolderWatch {
        let seen = seen
        return try #require(
            FolderWatch(queue: DispatchQueue(label: "watch")) { changes in seen.withLock { $0 += changes } })
    }

    private func heard(_ change: FolderWatch.Change) async throws {
        try await eventually { seen.withLock { $0.contains(change) } }
    }

    @Test("is reported: a write, a deletion, a move, and the end of the folder itself")
    func changes() async throws {
        try folder.write([1], to: "in/a")
        try folder.write([1], to: "in/b")
        let (watch, path) = (try watch(), FilePath(folder.file("in")))
        let number = try #require(watch.add(path))
        let file = unsafe open(folder.file("in/a"), O_WRONLY | O_APPEND)
        _ = unsafe write(file, "x", 1)
        close(file)
        try await heard(.written(number, name: "a"))
        try FileSystem.unlink(path.appending("b"))
        try await heard(.moved(number, name: "b"))
        try FileSystem.rename(path.appending("a"), to: path.appending("c"))
        try await heard(.moved(number, name: "a"))
        try await heard(.moved(number, name: "c"))
        try FileSystem.removeTree(path)
        try await heard(.folder(number))
    }

    @Test("is not reported for hidden files, nor after the watch has ended")
    func unwatched() async throws {
        try folder.write([1], to: "in/.part")
        try folder.write([1], to: "in/a")
        try folder.write([1], to: "other/z")
        let (watch, path) = (try watch(), FilePath(folder.file("in")))
        let number = try #require(watch.add(path))
        let other = try #require(watch.add(FilePath(folder.file("other"))))
        try FileSystem.unlink(path.appending(".part"))
        watch.remove(number)
        try FileSystem.unlink(path.appending("a"))
        try FileSystem.unlink(FilePath(folder.file("other/z")))
        try await heard(.moved(other, name: "z"))
        #expect(seen.withLock(\.self) == [.moved(other, name: "z")])
        #expect(watch.add(FilePath(folder.file("none"))) == nil)
    }

    /// An event as the kernel writes it.
    private func event(_ watch: UInt8, _ mask: UInt32, _ name: [UInt8] = []) -> [UInt8] {
        let numbers = [UInt32(watch), mask, 0, UInt32(name.count)]
        return numbers.flatMap { number in (0..<4).map { UInt8(number >> ($0 * 8) & 0xFF) } } + name
    }

    @Test("is read from the kernel's events, whose names are padded with zeros; half an event is ignored")
    func events() {
        let name = Array("a.ts".utf8) + [0, 0, 0, 0]
        let written = event(3, UInt32(IN_MODIFY), name)
        let bytes =
            written + event(3, UInt32(IN_IGNORED)) + event(255, UInt32(IN_Q_OVERFLOW))
            + event(4, UInt32(IN_MOVE_SELF))
        let changes = FolderWatch.changes(in: bytes[...])
        #expect(changes == [.written(3, name: "a.ts"), .overflow, .folder(4)])
        #expect(FolderWatch.changes(in: event(1, UInt32(IN_DELETE))[...]) == [.moved(1, name: "")])
        #expect(FolderWatch.changes(in: written.prefix(15)) == [])
        #expect(FolderWatch.changes(in: []) == [])
    }
}

@Suite("The last line that a program writes to its standard error", .timeLimit(.minutes(1)))
struct LastWordsTests {
    private func line(_ script: String) async -> String? {
        await ExternalCommand(words: ["sh", "-c", script]).run(input: []).lastWords
    }

    @Test("is the last that is not empty, in one line without blanks around it")
    func lines() async {
        #expect(await line("true") == nil)
        #expect(await line("echo >&2; echo '  ' >&2") == nil)
        #expect(await line("echo one >&2; printf '  two words\\t\\n\\n \\n' >&2") == "two words")
        #expect(await line("printf 'no end' >&2") == "no end")
    }

    @Test("has 200 characters at most, and is found behind as much as a program may write")
    func limits() async {
        #expect(await line("printf '%0300d' 0 >&2")?.count == 200)
        #expect(await line("head -c 300000 /dev/zero | tr '\\0' x >&2; echo >&2; echo end >&2") == "end")
        let long = await line("echo lost >&2; head -c 5000 /dev/zero | tr '\\0' y >&2")
        #expect(long == String(repeating: "y", count: 200))
    }

    @Test("is complete at the end of the program, also if a child still holds it open")
    func held() async {
        #expect(await line("sleep 30 >/dev/null & echo over >&2") == "over")
    }
}
