internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import Locking
internal import SystemPackage
internal import Transfers

/// An unfinished file beside its target. A transfer appends to it, and the terminal shows the progress.
///
/// The file stays locked while this object exists, so that no other command writes into it.
final class PartFile: TransferSink {
    private let descriptor: FileDescriptor
    private let length: UInt64
    private let global: GlobalOptions
    private let state: Lock<(written: UInt64, shown: ContinuousClock.Instant, flushed: UInt64)>
    let path: FilePath

    var written: UInt64 { state.withLock { $0.written } }

    /// Opens the file, and makes it if needed.
    ///
    /// - Throws: `CommandFailure` if another command is writing it.
    init(_ path: FilePath, length: UInt64, global: GlobalOptions) throws {
        descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .append],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        guard TemporaryFile.isOwn(descriptor.rawValue, path) else {
            try? descriptor.close()
            throw CommandFailure(
                message: "another command is writing this file now; wait until it has ended")
        }
        let size = UInt64(try descriptor.seek(offset: 0, from: .end))
        if size > length { try descriptor.resize(to: 0) }
        let written = size > length ? 0 : size
        state = Lock((written, .now, written))
        (self.path, self.length, self.global) = (path, length, global)
    }

    /// Makes an empty file beside another unfinished one. One that a killed command has left is deleted before, since
    /// the program that it ran may not have ended yet.
    convenience init(beside part: FilePath, as suffix: String, length: UInt64, global: GlobalOptions) throws {
        let path = part.parent.appending("\(part.stem ?? "").\(suffix)")
        if FileSystem.isThere(path) {
            let former = try PartFile(path, length: length, global: global)
            try withExtendedLifetime(former) { try FileSystem.unlink(path) }
        }
        try self.init(path, length: length, global: global)
    }

    func begin(_ response: TransferResponse) -> TransferDecision {
        guard response.status == 206 || response.status == 200 else {
            return .refuse(CommandFailure(message: "the server answered \(response.status)"))
        }
        // The server has another version of the file: it is written from the beginning.
        if response.status == 200, written > 0 {
            guard (try? descriptor.resize(to: 0)) != nil else { return .refuse(Errno.ioError) }
            state.withLock { ($0.written, $0.flushed) = (0, 0) }
        }
        return .accept
    }

    func receive(_ bytes: RawSpan) throws {
        _ = try unsafe bytes.withUnsafeBytes { unsafe try descriptor.writeAll($0) }
        let now = ContinuousClock.now
        let count = UInt64(bytes.byteCount)
        let written = state.withLock { state -> UInt64? in
            state.written += count
            if state.written - state.flushed >= Self.flushStep {
                FileSystem.beginFlush(descriptor.rawValue, state.flushed..<state.written)
                state.flushed = state.written
            }
            guard state.shown.duration(to: now) > .milliseconds(250) else { return nil }
            state.shown = now
            return state.written
        }
        if let written { show(written) }
    }

    /// The bytes after which the kernel begins to write them to the disk.
    private static let flushStep: UInt64 = 8 << 20

    private func show(_ written: UInt64) {
        let share = Double(written) / Double(max(length, 1))
        if global.json {
            let line: JSONValue = [
                "path": .string(path.string), "written": .integer(Int64(written)),
                "length": .integer(Int64(length)),
                "progress": JSONValue(share),
            ]
            Console.result(line.text)
        } else if Console.hasTerminal, !global.quiet {
            Console.draw(
                "\(HumanUnits.percent(share))  \(HumanUnits.bytes(Int64(written))) of \(HumanUnits.bytes(Int64(length)))"
            )
        }
    }

    /// Sees that all of it is there and on the disk.
    func end() throws {
        if Console.hasTerminal, !global.quiet, !global.json { Console.clear() }
        guard written == length else {
            throw CommandFailure(
                message: "the file ends after \(written) of \(length) bytes; the same command goes on with it"
            )
        }
        guard fsync(descriptor.rawValue) == 0 else {
            throw StoreError.system(.synchronize, path, reason: Errno(rawValue: errno))
        }
    }

    deinit { try? descriptor.close() }
}
