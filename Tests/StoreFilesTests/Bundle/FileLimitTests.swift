import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

/// A thread that has as many open files as it may have.
@Suite("Where no file can be opened any more", .timeLimit(.minutes(1)))
struct FileLimitTests {
    /// Whether there are few enough to be opened here.
    private static var isReachable: Bool {
        var limit = rlimit()
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        return unsafe getrlimit(kind, &limit) == 0 && limit.rlim_max <= 1 << 20
    }

    /// Gives the calling thread a table of open files of its own: `unshare(CLONE_FILES)`, which the Glibc module
    /// leaves out.
    private static func hasOwnFiles() -> Bool {
        guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
        let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        return unshare(0x400) == 0
    }

    /// Calls a body on a thread whose table of open files is full; `nil` where there is no such table.
    private func atLimit<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            Thread {
                guard Self.hasOwnFiles() else { return continuation.resume(returning: nil) }
                let first = unsafe open("/dev/null", O_RDONLY)
                while dup(first) >= 0 {}
                continuation.resume(returning: body())
            }.start()
        }
    }

    @Test("that is told, and a playlist counts as whole", .enabled(if: isReachable))
    func limit() async throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(try folder.write(Array("#EXTM3U\n#EXTINF:4,\na.ts\n".utf8), to: "p.m3u8"))
        #expect(!FileSystem.isAtFileLimit && !ServedMediaPlaylist.isWhole(path))
        let found = await atLimit { [FileSystem.isAtFileLimit, ServedMediaPlaylist.isWhole(path)] }
        #expect(found == nil || found == [true, true])
        #expect(!FileSystem.isAtFileLimit && !ServedMediaPlaylist.isWhole(path))
    }
}
