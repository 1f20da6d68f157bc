import Foundation

/// A program run as a child. Unlike Foundation's `Process` it needs no run loop, so that waiting for it cannot hang
/// on a thread of the concurrency pool.
public final class ChildProcess {
    private let identifier: pid_t
    private var status: Int32?

    /// Starts a program, its output thrown away.
    public init(_ program: String, _ arguments: [String]) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let code = unsafe posix_spawn(&identifier, program, &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        self.identifier = identifier
    }

    deinit { kill() }

    /// Whether the program has ended by itself.
    public var hasEnded: Bool {
        guard status == nil else { return true }
        var word: Int32 = 0
        guard unsafe waitpid(identifier, &word, WNOHANG) == identifier else { return false }
        status = Self.code(word)
        return true
    }

    private static func code(_ word: Int32) -> Int32 {
        word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }

    /// Waits for the end and returns the exit code; 128 plus the signal when one ended it.
    @discardableResult
    public func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while unsafe waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        let code = Self.code(word)
        status = code
        return code
    }

    /// Ends the program at once and waits for that.
    public func kill() {
        guard status == nil else { return }
        _ = Foundation.kill(identifier, SIGKILL)
        wait()
    }
}
