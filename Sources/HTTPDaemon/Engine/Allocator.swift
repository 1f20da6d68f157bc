internal import CMicroHTTPD
internal import Glibc

/// The memory that the C library's allocator keeps of the machine.
public enum Allocator {
    /// Limits the allocator's arenas to the number of threads that can run at a time, but at least two. Without the
    /// limit there are up to eight times as many, and each keeps its largest size. Existing arenas stay, so call this
    /// when the program starts.
    public static func limitArenas() {
        let processors = Int32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        mallopt(M_ARENA_MAX, max(2, processors))
    }

    /// Returns free memory to the system, which may be a hundred megabytes after a crowd.
    static func trim() { malloc_trim(0) }
}
