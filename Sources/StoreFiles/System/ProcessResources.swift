internal import Glibc
internal import Locking
internal import SystemPackage

/// The resources of the machine that this process takes.
package enum ProcessResources {
    /// Allows as many open files as the system lets us have: each connection and each transfer needs one.
    package static func raiseOpenFileLimit() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
    }

    /// The words with which this process was started, beginning with its own name, as the kernel has them.
    /// `CommandLine.arguments` is empty if a preloaded library, such as libfaketime, moved the environment before the
    /// program began.
    package static var arguments: [String] {
        guard let bytes = try? DurableWrite.read("/proc/self/cmdline") else { return CommandLine.arguments }
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sees to it that no memory of this process, where keys may be, gets into a core dump: neither into a file,
    /// nor to a program that collects them (core(5)).
    package static func keepMemoryPrivate() {
        let kind = __rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue))
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(kind, &none)
        let path = FilePath("/proc/self/coredump_filter")
        guard let filter = try? FileDescriptor.open(path, .writeOnly) else { return }
        _ = try? filter.closeAfter {
            // A write of one byte is never partial.
            try unsafe withUnsafeBytes(of: UInt8(ascii: "0")) { byte in try unsafe filter.write(byte) }
        }
    }

    private static let mask = Lock<mode_t?>(nil)

    /// The caller's file mode creation mask, if this process has another one.
    static var callersMask: mode_t? { mask.withLock(\.self) }

    /// Keeps the files that this process makes from others. Programs that it starts have the caller's mask all the same.
    package static func keepFilesPrivate() {
        let before = umask(0o077)
        mask.withLock { $0 = before }
    }

    /// From now on, uses the caller's mask for new files.
    package static func shareFiles() { if let before = callersMask { umask(before) } }

    /// Releases the memory of program code that only the start needed; if it runs again, the kernel reads it from the
    /// page cache. Does nothing on kernels before 5.4.
    package static func releaseStartupPages() {
        guard let maps = try? DurableWrite.read("/proc/self/maps", limit: 4 << 20) else { return }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count == 6, fields[1].hasPrefix("r-"), fields[5].hasPrefix("/") else { continue }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2 else { continue }
            unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), pageOut)
        }
    }

    /// `MADV_PAGEOUT` of madvise(2), which glibc's headers name only for some feature sets.
    private static let pageOut: Int32 = 21
}
