import Glibc
import Locking
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("Bytes that are waited for", .timeLimit(.minutes(1)))
struct ArrivingFileTests {
    private let folder: TemporaryDirectory
    private let file: PartialFile

    init() throws {
        folder = try TemporaryDirectory()
        file = try PartialFile(creating: FilePath(folder.file("1.ts.part")))
    }

    private func append(_ bytes: [UInt8]) throws {
        try unsafe file.append(bytes.span.bytes)
    }

    @Test("have ended when all are there, or when the rest will not come")
    func ended() async throws {
        let (reader, file) = (ArrivingFile(file), file)
        let waiting = Task { try await reader.ended() }
        try append([1, 2])
        file.finish(.complete)
        #expect(try await waiting.value)
        #expect(try await reader.ended())
        let broken = try PartialFile(creating: FilePath(folder.file("2.ts.part")))
        let failing = Task { try await ArrivingFile(broken).ended() }
        broken.finish(.failed(nil))
        #expect(try await !failing.value)
    }

    /// A step that was expected and did not come.
    private struct Missing: Error {}

    @Test("have no last byte if the check of the whole finds them wrong")
    func wrong() throws {
        for length: UInt64? in [3, nil] {
            let file = try PartialFile(creating: FilePath(folder.file("\(length ?? 0).ts.part")))
            file.expectedLength = length
            let reader = ArrivingFile(file)
            try unsafe file.append(([1, 2, 3] as [UInt8]).span.bytes)
            file.finish(.failed(nil))
            let step = try reader.read(at: 0, count: 10)
            guard case .bytes(let bytes) = step else { throw Missing() }
            #expect(bytes == (length == nil ? [1, 2, 3] : [1, 2]))
            let next = try reader.read(at: UInt64(bytes.count), count: 10)
            guard case .failed = next else { throw Missing() }
        }
    }

    @Test("are waited for no longer once the task is cancelled")
    func cancelled() async throws {
        let reader = ArrivingFile(file)
        let waiting = Task { try await reader.ended() }
        waiting.cancel()
        #expect(try await !waiting.value)
        let late = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await reader.ended()
        }
        #expect(try await !late.value, "the task was cancelled before it waited")
        let answer = Task { await reader.answered() }
        answer.cancel()
        await answer.value
        #expect(!file.isAnswered)
    }

    @Test("have answered with the first byte, also where a former try has left some, or with the end")
    func answered() async throws {
        let (reader, file) = (ArrivingFile(file), file)
        let waiting = (0..<3).map { _ in Task { await reader.answered() } }
        try append([0x47])
        for task in waiting { await task.value }
        await reader.answered()
        let kept = PartialFile(at: file.path)
        file.validator = Validator(etag: "\"a\"")
        #expect(file.leave(isWorthKeeping: true))
        let next = Task { await ArrivingFile(kept).answered() }
        #expect(try kept.prepare() == Validator(etag: "\"a\""))
        await next.value
        let empty = try PartialFile(creating: FilePath(folder.file("2.ts.part")))
        let last = Task { await ArrivingFile(empty).answered() }
        empty.finish(.complete)
        await last.value
    }

    @Test("are gone only after their reader can see that another transfer has begun")
    func restarted() async throws {
        let (file, isOver) = (file, Lock(false))
        let reading = Task.detached {
            var isAnnounced = true
            while !isOver.withLock(\.self), isAnnounced {
                let version = file.version
                let step = try? ArrivingFile(file).read(at: 0, count: 4096)
                switch step {
                case nil, .failed: isAnnounced = file.version > version
                case .bytes(let bytes): isAnnounced = bytes.allSatisfy { $0 == bytes[0] }
                case .wait, .end: break
                }
            }
            return isAnnounced
        }
        for round in 0..<3000 {
            try append([UInt8](repeating: UInt8(round % 251), count: 4096))
            if round % 3 == 2 {
                let content = try FileRewriting(of: file.path, limit: 10_000)
                try content.append([UInt8](repeating: UInt8(round % 241), count: 4096))
                try file.replace(with: content)
            }
            try file.restart()
        }
        isOver.withLock { $0 = true }
        #expect(await reading.value)
    }

    @Test("wake their reader at the last byte only when the whole was found right")
    func lastByte() throws {
        let (reader, woken) = (ArrivingFile(file), Lock<[UInt64]>([]))
        file.expectedLength = 3
        try append([1, 2, 3])
        for offset: UInt64 in [0, 1, 2] {
            reader.whenGrown(beyond: offset) { woken.withLock { $0.append(offset) } }
        }
        #expect(woken.withLock { $0.sorted() } == [0, 1])
        file.finish(.complete)
        #expect(woken.withLock { $0.sorted() } == [0, 1, 2])
    }

    @Test("of an unknown number wake their reader at once where some are there, and else with the next ones")
    func unknownLength() throws {
        let (reader, woken) = (ArrivingFile(file), Lock<[UInt64]>([]))
        try append([1, 2])
        for offset: UInt64 in [0, 1, 2] {
            reader.whenGrown(beyond: offset) { woken.withLock { $0.append(offset) } }
        }
        #expect(woken.withLock(\.self) == [0, 1])
        try append([3])
        #expect(woken.withLock(\.self) == [0, 1, 2])
    }

    @Test("of one byte are withheld until their end, which may come later than announced")
    func borders() throws {
        let reader = ArrivingFile(file)
        file.expectedLength = 1
        try append([7])
        guard case .wait = try reader.read(at: 0, count: 9) else { throw CancellationError() }
        try append([8, 9])
        guard case .wait = try reader.read(at: 1, count: 9) else { throw CancellationError() }
        file.finish(.complete)
        guard case .bytes([8, 9]) = try reader.read(at: 1, count: 9) else { throw CancellationError() }
        #expect(reader.length == 3)
    }

    @Test("that are veiled once some were read begin again: a former reader fails, a new one waits")
    func veiled() throws {
        try append([1])
        let (former, woken) = (ArrivingFile(file), Lock(0))
        former.whenGrown(beyond: 1) { woken.withLock { $0 += 1 } }
        file.veil()
        #expect(woken.withLock(\.self) == 1)
        guard case .failed = try former.read(at: 0, count: 1) else { throw CancellationError() }
        guard case .wait = try ArrivingFile(file).read(at: 0, count: 1) else { throw CancellationError() }
    }
}

@Suite("A served playlist's file")
struct PlaylistEndTests {
    @Test("is whole when it has a line and then its end; anything else is not")
    func wholeness() throws {
        let folder = try TemporaryDirectory()
        let end = "#EXT-X-ENDLIST\n"
        for (text, isWhole) in [
            ("#EXTM3U\n\(end)", true), (end, false), ("", false), ("#EXTM3U\n\(end) ", false),
        ] {
            let path = FilePath(try folder.write(Array(text.utf8), to: "p.m3u8"))
            #expect(ServedMediaPlaylist.isWhole(path) == isWhole)
            #expect(try ServedMediaPlaylist.goesToEnd(path) == isWhole)
        }
        #expect(!ServedMediaPlaylist.isWhole(FilePath(folder.file("none"))))
        #expect(try !ServedMediaPlaylist.goesToEnd(FilePath(folder.path)))
    }
}

@Suite("A file that is to become another")
struct TemporaryFileTests {
    @Test("has a name of its own while others write beside it, and takes the first one again later")
    func names() throws {
        let folder = try TemporaryDirectory()
        let file = FilePath(folder.file("a"))
        // A killed process has left one that was longer.
        try folder.write([1, 2, 3], to: ".a.tmp")
        let first = try TemporaryFile(beside: file, mode: 0o600)
        let second = try TemporaryFile(beside: file, mode: 0o600)
        #expect(
            first.path.lastComponent?.string == ".a.tmp" && second.path.lastComponent?.string == ".a.2.tmp")
        try first.write([4])
        #expect(try folder.read(".a.tmp") == [4])
        first.close()
        let third = try TemporaryFile(beside: file, mode: 0o600)
        #expect(third.path == first.path)
        third.close()
        second.close()
        #expect(throws: StoreError.self) {
            try TemporaryFile(beside: FilePath(folder.file("no/a")), mode: 0o600)
        }
    }
}

extension TemporaryFileTests {
    @Test(
        "is its writer's own while it has its one name; a second name is that of a killed process, and goes")
    func ownership() throws {
        let folder = try TemporaryDirectory()
        func isOwn(_ prepare: (FilePath) throws -> Void) throws -> Bool {
            let path = FilePath(try folder.write([1], to: ".a.tmp"))
            let descriptor = unsafe open(path.string, O_WRONLY)
            defer { close(descriptor) }
            try prepare(path)
            return TemporaryFile.isOwn(descriptor, path)
        }
        let other = FilePath(folder.file("a"))
        #expect(try isOwn { _ in })
        #expect(try !isOwn { try FileSystem.rename($0, to: other) })
        #expect(
            try !isOwn {
                try FileSystem.rename($0, to: other)
                try folder.write([2], to: ".a.tmp")
            })
        try FileSystem.unlink(other)
        #expect(try !isOwn { _ = try FileSystem.link($0, to: other) })
        #expect(FileSystem.names(in: FilePath(folder.path)) == ["a"])
    }
}

@Suite("The conditions of this machine")
struct EngineConditionsTests {
    @Test("always have a route to this machine, and to others by any route except loopback's")
    func routes() {
        let conditions = EngineConditions()
        for url in ["http://localhost:1/a", "http://[::1]/", "http://127.0.0.9/x", "HTTP://LOCALHOST/"] {
            #expect(conditions.isOnline(url))
        }
        #expect(EngineConditions.hasRoute(ipv4: "", ipv6: ""))
        #expect(!EngineConditions.hasRoute(ipv4: "Iface\n", ipv6: ""))
        #expect(!EngineConditions.hasRoute(ipv4: "Iface\nlo\t00000000\n", ipv6: "0 00 lo\n"))
        #expect(EngineConditions.hasRoute(ipv4: "", ipv6: "20010000 40 eth0\n"))
        #expect(!EngineConditions.hasRoute(ipv4: "", ipv6: "fe800000 40 eth0\nff000000 8 eth0\n"))
    }

    @Test("have the space of a path's file system, and a minute of the day")
    func facts() {
        let conditions = EngineConditions()
        let space = conditions.space("/")
        #expect(space.map { $0.free <= $0.total } == true && conditions.space("/no/such") == nil)
        #expect((0..<1440).contains(conditions.minuteOfDay(Timestamp(milliseconds: 1_700_000_000_000))))
    }
}
