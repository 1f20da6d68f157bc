internal import CSpawn
internal import Dispatch
internal import Glibc

/// A program that this one starts: with its caller's file mode creation mask, no signal ignored or blocked, and no
/// descriptor but the first three.
public struct ChildProgram: Sendable {
    /// The program and its arguments; a name without a slash is looked for in PATH.
    var words: [String]
    /// Variables besides those of this process.
    var environment: [String: String] = [:]

    /// `POSIX_SPAWN_SETSID` of glibc, which the Glibc module leaves out.
    private static let newSession: Int32 = 0x80

    /// Runs a program in the terminal of this one, to its end.
    ///
    /// - Returns: its exit status, or 128 plus the signal that ended it; `nil` when it can't be started.
    public static func run(_ words: [String]) async -> Int32? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: ChildProgram(words: words).start().map(end))
            }
        }
    }

    /// Waits for the end of a child; its status.
    private static func end(of process: pid_t) -> Int32 {
        var word: Int32 = 0
        while unsafe waitpid(process, &word, 0) < 0, errno == EINTR {}
        return status(word)
    }

    /// The exit status in what `waitpid` says, or 128 plus the signal that ended the child.
    static func status(_ word: Int32) -> Int32 {
        word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }

    /// What is started. Nothing sets the mask of a child alone, but a shell that becomes the program.
    private var commandLine: [String] {
        guard let mask = ProcessResources.callersMask else { return words }
        return ["/bin/sh", "-c", #"umask "$0"; exec "$@""#, String(mask, radix: 8)] + words
    }

    /// Starts it.
    ///
    /// - Parameter ends: its standard input and output in place of the terminal; then it has a session of its own, and
    ///   what it says of errors is heard by nobody.
    /// - Returns: its number; `nil` when it can't be started.
    func start(_ ends: (input: Int32, output: Int32)? = nil) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let ends {
            unsafe posix_spawn_file_actions_adddup2(&actions, ends.input, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, ends.output, 1)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        // Libraries open some that are inherited.
        unsafe cspawn_close_from(&actions, 3)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        let session = ends == nil ? 0 : Self.newSession
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | session))
        let words = commandLine
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe self.variables.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe arguments.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        var process: pid_t = 0
        guard let program = words.first,
            unsafe posix_spawnp(&process, program, &actions, &attributes, &arguments, &variables) == 0
        else { return nil }
        return process
    }

    private var variables: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            variables.append(unsafe String(cString: text))
            unsafe next += 1
        }
        return variables.filter { variable in !environment.keys.contains { variable.hasPrefix("\($0)=") } }
            + environment.map { "\($0.key)=\($0.value)" }
    }
}
