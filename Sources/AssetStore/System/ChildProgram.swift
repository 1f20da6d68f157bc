internal import CSpawn
internal import Glibc

/// A program that this one starts: with no signal ignored or blocked, and no descriptor but the first three.
struct ChildProgram: Sendable {
    /// The program and its arguments; a name without a slash is looked for in PATH.
    var words: [String]
    /// Variables besides those of this process.
    var environment: [String: String] = [:]

    /// `POSIX_SPAWN_SETSID` of glibc, which the Glibc module leaves out.
    private static let newSession: Int32 = 0x80

    /// Starts it in a session of its own; what it says of errors is heard by nobody.
    ///
    /// - Returns: its number; `nil` when it can't be started.
    func start(reading input: Int32, writing output: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Libraries open some that are inherited.
        unsafe cspawn_close_from(&actions, 3)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | Self.newSession))
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
