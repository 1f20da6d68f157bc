internal import CMicroHTTPD
internal import Glibc

/// The memory that the C library's allocator keeps of the machine.
public enum Allocator {
    /// Has no more arenas than threads that can run at a time, but two. Else there are up to eight times as many, and each
    /// keeps what it has had at its busiest. Those that there are already stay, so that it is done as the program starts.
    public static func limitArenas() {
        let processors = Int32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        mallopt(M_ARENA_MAX, max(2, processors))
    }

    /// Gives back what is free at the moment, which may be a hundred megabytes after a crowd.
    static func trim() { malloc_trim(0) }
}
