import Dispatch
import Glibc
import Locking
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("A file that grows", .timeLimit(.minutes(1)))
struct PartialFileTests {
    private let folder: TemporaryDirectory
    private let path: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        path = FilePath(folder.file("1.ts.part"))
    }

    private func append(_ bytes: [UInt8], to file: PartialFile) throws {
        try unsafe file.append(bytes.span.bytes)
    }

    @Test("tells nothing of itself before its first byte")
    func new() throws {
        let file = try PartialFile(creating: path)
        #expect(file.watermark == 0 && file.end == nil && file.expectedLength == nil && file.version == 0)
        #expect(!file.isResting && !file.isVeiled && !file.isAnswered && !file.hasGrown)
        #expect(file.firstByteTime == nil && file.trouble == nil && file.validator == nil)
        #expect(try file.read(at: 0, count: 10) == [])
    }

    @Test("can be read below its watermark, and has a hash of its bytes")
    func reading() throws {
        let file = try PartialFile(creating: path)
        try append([1, 2, 3], to: file)
        try append([4, 5], to: file)
        try file.synchronize()
        #expect(file.watermark == 5 && file.hasGrown && file.isAnswered && file.firstByteTime != nil)
        #expect(try file.read(at: 1, count: 3) == [2, 3, 4] && file.read(at: 4, count: 9) == [5])
        #expect(try file.read(at: 5, count: 1) == [] && file.read(at: 9, count: 1) == [])
        #expect(try file.sha256 == FilePieces.sha256(of: path))
    }

    @Test("that another program cut off can't be read, whatever went wrong before")
    func cutOff() throws {
        let file = try PartialFile(creating: path)
        try append([1, 2, 3], to: file)
        let cut = unsafe truncate(path.string, 1)
        try #require(cut == 0)
        errno = ENOSPC
        let error = #expect(throws: StoreError.self) { try file.read(at: 0, count: 3) }
        guard case .file(.read, path.string, EIO) = error?.code else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
    }

    @Test("keeps the last byte back until the whole was found right, when its length is known")
    func lastByte() throws {
        let file = try PartialFile(creating: path)
        let reader = ArrivingFile(file)
        #expect(reader.length == nil)
        #expect(isWait(try reader.read(at: 0, count: 9)))
        file.expectedLength = 3
        try append([1, 2, 3], to: file)
        #expect(reader.length == 3 && !reader.hasFailed)
        #expect(bytes(try reader.read(at: 0, count: 9)) == [1, 2])
        #expect(bytes(try reader.read(at: 0, count: 1)) == [1])
        #expect(isWait(try reader.read(at: 2, count: 9)))
        file.finish(.complete)
        #expect(bytes(try reader.read(at: 2, count: 9)) == [3])
        #expect(file.end?.isComplete == true)
        guard case .end = try reader.read(at: 3, count: 1) else { throw CancellationError() }
    }

    @Test("says why the rest does not come, and whether anything came before")
    func failing() throws {
        let file = try PartialFile(creating: path)
        let reader = ArrivingFile(file)
        file.trouble = StoreError(.stopped(.closing))
        #expect(reader.trouble != nil && reader.failure == nil && !reader.hasFailed)
        file.finish(.failed(StoreError(.stopped(.closing))))
        #expect(reader.hasFailed && reader.failure != nil && reader.trouble == nil)
        #expect(file.end?.isComplete == false)
        guard case .failed = try reader.read(at: 0, count: 1) else { throw CancellationError() }
        let other = try PartialFile(creating: FilePath(folder.file("2.ts.part")))
        try append([1], to: other)
        other.finish(.failed(nil))
        #expect(!ArrivingFile(other).hasFailed && ArrivingFile(other).failure == nil)
    }

    @Test("that starts over wakes its readers, and gives readers of the old bytes no new ones")
    func restart() throws {
        let file = try PartialFile(creating: path)
        file.expectedLength = 9
        try append([1, 2, 3], to: file)
        let (reader, woken) = (ArrivingFile(file), Lock(0))
        reader.whenGrown(beyond: 3) { woken.withLock { $0 += 1 } }
        #expect(woken.withLock(\.self) == 0)
        try file.restart()
        #expect(woken.withLock(\.self) == 1 && file.watermark == 0 && file.version == 1)
        #expect(file.expectedLength == nil)
        try append([7, 8], to: file)
        guard case .failed = try reader.read(at: 0, count: 1) else { throw CancellationError() }
        #expect(bytes(try ArrivingFile(file).read(at: 0, count: 9)) == [7, 8])
        #expect(try file.sha256 == FilePieces.sha256(of: path))
    }

    @Test("wakes a reader that waits beyond an offset once, when there are more bytes")
    func waking() throws {
        let (file, woken) = (try PartialFile(creating: path), Lock<[Int]>([]))
        for offset in [0, 1, 2] {
            file.whenGrown(beyond: UInt64(offset)) { woken.withLock { $0.append(offset) } }
        }
        try append([1], to: file)
        #expect(woken.withLock { $0.sorted() } == [0, 1, 2])
        file.whenGrown(beyond: 0) { woken.withLock { $0.append(9) } }
        #expect(woken.withLock(\.last) == 9)
        file.whenGrown(beyond: 1) { woken.withLock { $0.append(10) } }
        #expect(woken.withLock(\.last) == 9)
        file.finish(.complete)
        #expect(woken.withLock(\.last) == 10)
    }

    @Test("that is veiled shows nothing before its end, nor its length")
    func veiled() throws {
        let file = try PartialFile(creating: path)
        file.veil()
        #expect(file.isVeiled && file.version == 0)
        file.expectedLength = 2
        try append([1, 2], to: file)
        let reader = ArrivingFile(file)
        #expect(reader.length == nil && !file.isAnswered)
        #expect(isWait(try reader.read(at: 0, count: 2)))
        file.finish(.complete)
        #expect(reader.length == 2)
        #expect(bytes(try reader.read(at: 0, count: 2)) == [1, 2])
        file.veil()
        #expect(file.version == 0)
        let begun = try PartialFile(creating: FilePath(folder.file("2.ts.part")))
        try append([1], to: begun)
        begun.veil()
        #expect(begun.version == 1)
    }

    @Test("whose length was too small has none any more, and its readers end")
    func forgottenLength() throws {
        let file = try PartialFile(creating: path)
        file.forgetLength()
        #expect(file.version == 0)
        file.expectedLength = 2
        file.forgetLength()
        #expect(file.version == 1 && file.expectedLength == nil)
    }

    @Test("takes other content in its place, with its length and hash")
    func replaced() throws {
        let file = try PartialFile(creating: path)
        try append([9, 9, 9], to: file)
        let content = try FileRewriting(of: path, limit: 100)
        try content.append([1])
        try content.append([2, 3, 4])
        #expect(try content.read(at: 1, count: 9) == [2, 3, 4] && content.read(at: 4, count: 1) == [])
        #expect(try content.read(at: -1, count: 1) == [] && content.read(at: 0, count: 2) == [1, 2])
        try file.replace(with: content)
        #expect(file.watermark == 4 && file.expectedLength == 4 && file.version == 1)
        #expect(try file.read(at: 0, count: 9) == [1, 2, 3, 4])
        #expect(try file.sha256 == FilePieces.sha256(of: path))
        let other = try FileRewriting(of: path, limit: 100)
        other.discard()
        #expect(FileSystem.isAbsent(other.path))
    }

    @Test("that is veiled takes other content in its place without a new version")
    func replacedVeiled() throws {
        let file = try PartialFile(creating: path)
        file.veil()
        try append([9], to: file)
        let content = try FileRewriting(of: path, limit: 100)
        try content.append([1, 2])
        try file.replace(with: content)
        #expect(file.version == 0 && file.isVeiled && file.watermark == 2)
    }

    @Test("that starts over is as new: unveiled, without a version, and grown by its new bytes")
    func startedOver() throws {
        let file = try PartialFile(creating: path)
        file.validator = Validator(etag: "\"a\"")
        try append([1], to: file)
        file.keepHead()
        #expect(FileSystem.isThere(PartHead.path(of: path)))
        file.veil()
        try file.restart()
        #expect(!file.isVeiled && file.validator == nil && !file.hasGrown)
        #expect(FileSystem.isAbsent(PartHead.path(of: path)))
        try append([2], to: file)
        #expect(file.hasGrown && !file.leave(isWorthKeeping: true) && FileSystem.isAbsent(path))
    }

    @Test("has its version beside it once it has a strong one and a byte, while it grows")
    func heads() throws {
        let (file, head) = (try PartialFile(creating: path), PartHead.path(of: path))
        let strong = Validator(etag: "\"a\"")
        file.validator = strong
        file.keepHead()
        #expect(FileSystem.isAbsent(head), "without a byte")
        try append([1], to: file)
        for weak in [nil, Validator(etag: "W/\"a\""), Validator(total: 3)] {
            file.validator = weak
            file.keepHead()
            #expect(FileSystem.isAbsent(head))
        }
        file.validator = strong
        file.keepHead()
        #expect(PartHead(of: path)?.validator == strong)
        file.dropHead()
        file.validator = strong
        file.finish(.complete)
        file.keepHead()
        #expect(FileSystem.isAbsent(head))
        file.keepHead(hasEnded: true)
        #expect(PartHead(of: path)?.validator == strong)
    }

    @Test("that is stored while its version is written leaves none behind")
    func writtenWhileStored() throws {
        for _ in 0..<300 {
            let file = try PartialFile(creating: path)
            file.validator = Validator(etag: "\"a\"")
            try append([1], to: file)
            DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? file.keepHead() : file.dropHead() }
            #expect(FileSystem.isAbsent(PartHead.path(of: path)))
        }
    }

    @Test("wakes all that wait for it, whatever else has waited meanwhile")
    func manyWaiters() async throws {
        let (file, woken) = (try PartialFile(creating: path), Lock<[Int]>([]))
        for number in 0..<4 {
            file.whenGrown(beyond: 0) { woken.withLock { $0.append(number) } }
            let cancelled = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                await file.answered()
            }
            await cancelled.value
        }
        try append([1], to: file)
        #expect(woken.withLock { $0.sorted() } == [0, 1, 2, 3])
    }

    @Test("is kept with its version for the next try, which goes on with it")
    func resuming() throws {
        let file = try PartialFile(creating: path)
        file.validator = Validator(etag: "\"a\"")
        file.expectedLength = 5
        #expect(!file.leave(isWorthKeeping: true) && FileSystem.isAbsent(path))
        try file.create()
        file.validator = Validator(etag: "\"a\"")
        try append([0x47, 2, 3], to: file)
        #expect(file.leave(isWorthKeeping: true) && FileSystem.isThere(PartHead.path(of: path)))
        let next = PartialFile(at: path)
        #expect(try next.prepare() == Validator(etag: "\"a\""))
        #expect(next.watermark == 3 && !next.hasGrown && next.expectedLength == 5)
        #expect(try next.sha256 == FilePieces.sha256(of: path))
        try append([4, 5], to: next)
        #expect(next.hasGrown && next.watermark == 5)
        #expect(!next.leave(isWorthKeeping: false))
        #expect(FileSystem.isAbsent(path) && FileSystem.isAbsent(PartHead.path(of: path)))
        #expect(try PartialFile(at: path).prepare() == nil)
    }

    @Test("begins anew if the kept bytes are longer than the whole, or from before a restart of the machine")
    func untrusted() throws {
        let boot = try #require(PartHead.currentBoot)
        let validator = Validator(etag: "\"a\"")
        for (length, boot, isKept) in [
            (UInt64(2), boot, true), (1, boot, false), (2, "another", false), (nil, boot, true),
        ] as [(UInt64?, String, Bool)] {
            try folder.write([0x47, 2], to: "1.ts.part")
            PartHead(validator: validator, length: length, boot: boot).write(for: path)
            let file = PartialFile(at: path)
            #expect(try file.prepare() == (isKept ? validator : nil))
            #expect(file.watermark == (isKept ? 2 : 0))
        }
    }

    @Test("is veiled again if its kept bytes may be disguised media, and begins anew if there are none")
    func keptDisguise() throws {
        let boot = try #require(PartHead.currentBoot)
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        for (bytes, isVeiled) in [([0x47, 2], false), (picture, true), ([], nil)] as [([UInt8], Bool?)] {
            try folder.write(bytes, to: "1.ts.part")
            PartHead(validator: Validator(etag: "\"a\""), length: 99, boot: boot).write(for: path)
            let file = PartialFile(at: path)
            #expect((try file.prepare() != nil) == (isVeiled != nil))
            #expect(file.isVeiled == (isVeiled ?? false))
            // What replaces the kept bytes is not counted as growth.
            try file.restart()
            try append([1, 2, 3], to: file)
            #expect(file.hasGrown == bytes.isEmpty)
        }
    }

    @Test("is deleted with the files beside it when it is abandoned")
    func orphans() throws {
        let names = [
            ".1.ts.part", ".1.ts.part.head", ".1.ts.part.new", ".2.ts.part", ".2.ts.part.head", "3.ts", ".x",
        ]
        for name in names { try folder.write([1], to: name) }
        PartialFile.removeOrphans(in: FilePath(folder.file("")), except: [".1.ts.part"])
        #expect(
            FileSystem.names(in: FilePath(folder.file(""))).sorted() == [
                ".1.ts.part", ".1.ts.part.head", ".x", "3.ts",
            ])
    }

    @Test("is deleted, and so is a temporary file of a killed writer; that of a writer at work stays")
    func temporaryOrphans() throws {
        try folder.write([1], to: ".media.m3u8.tmp")
        let own = FilePath(folder.file("poster.jpg"))
        let temporary = try TemporaryFile(beside: own, mode: 0o600)
        PartialFile.removeOrphans(in: own.parent, except: [])
        #expect(FileSystem.names(in: own.parent) == [".poster.jpg.tmp"])
        temporary.close()
        PartialFile.removeOrphans(in: own.parent, except: [])
        #expect(FileSystem.names(in: own.parent).isEmpty)
    }

    private func bytes(_ step: ArrivingFile.Step) -> [UInt8]? {
        guard case .bytes(let bytes) = step else { return nil }
        return bytes
    }

    private func isWait(_ step: ArrivingFile.Step) -> Bool {
        guard case .wait = step else { return false }
        return true
    }
}
