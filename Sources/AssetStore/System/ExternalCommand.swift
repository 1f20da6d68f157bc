internal import Dispatch
internal import Glibc
internal import Locking

/// A program of the user's that is asked something: input on its standard input, the answer on its standard
/// output. It gets no terminal, and its time is limited.
struct ExternalCommand: Sendable {
    /// The program and its arguments; a name without a slash is looked for in PATH.
    var words: [String]
    /// Variables besides those of this process.
    var environment: [String: String] = [:]
    var seconds: Double = 30
    /// Whether nobody wants its answer once the task is cancelled.
    var endsWithTask = false
    static let outputLimit = 1 << 20

    /// How a program ended.
    struct Outcome: Sendable {
        /// The exit status; 128 plus the signal when one ended it, `nil` when it took too long or did not start.
        var status: Int32?
        var output: [UInt8]
    }

    private static let queue = DispatchQueue(
        label: "offline-server.commands", qos: .utility, attributes: .concurrent)

    /// One is started at a time, so that none gets another one's pipe, which would then have no end.
    /// The value says nothing; one without a size would look to the thread sanitizer like the mutex beside it.
    private static let starting = Lock(0)

    /// Runs it to its end.
    func run(input: [UInt8]) async -> Outcome {
        let group = ProcessGroup()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.queue.async { continuation.resume(returning: self.runBlocking(input, group)) }
            }
        } onCancel: {
            if endsWithTask { group.kill() }
        }
    }

    private func runBlocking(_ input: [UInt8], _ group: ProcessGroup) -> Outcome {
        guard let (into, from, process) = Self.starting.withLock({ _ in start() }) else {
            return Outcome(status: nil, output: [])
        }
        group.began(process)
        into.closeRead()
        from.closeWrite()
        // With what it has started, which would keep the answer open.
        let watchdog = DispatchWorkItem { group.kill() }
        Self.queue.asyncAfter(deadline: .now() + seconds, execute: watchdog)
        // The program may answer before it has read everything.
        Self.queue.async {
            into.write(input)
            into.closeWrite()
        }
        let output = from.readToEnd(limit: Self.outputLimit)
        from.closeRead()
        let word = group.end(of: process)
        watchdog.cancel()
        let signal = word & 0x7F
        return Outcome(
            status: signal == SIGKILL ? nil : signal == 0 ? (word >> 8) & 0xFF : 128 + signal, output: output)
    }

    private func start() -> (Pipe, Pipe, pid_t)? {
        guard let into = Pipe() else { return nil }
        guard let from = Pipe(), let process = spawn(reading: into, writing: from) else {
            into.closeRead()
            into.closeWrite()
            return nil
        }
        return (into, from, process)
    }

    /// `POSIX_SPAWN_SETSID` of glibc, which the Glibc module leaves out.
    private static let newSession: Int32 = 0x80

    private func spawn(reading into: Pipe, writing from: Pipe) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, into.read, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, from.write, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | Self.newSession))
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe Self.variables(with: environment).map { unsafe strdup($0) } + [nil]
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

    private static func variables(with own: [String: String]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            variables.append(unsafe String(cString: text))
            unsafe next += 1
        }
        return variables.filter { variable in !own.keys.contains { variable.hasPrefix("\($0)=") } }
            + own.map { "\($0.key)=\($0.value)" }
    }
}

/// A program and what it has started, as long as it runs.
private final class ProcessGroup: Sendable {
    private struct State {
        var process: pid_t?
        var isUnwanted = false
    }

    private let state = Lock(State())

    func began(_ process: pid_t) {
        state.withLock { state in
            state.process = process
            if state.isUnwanted { Glibc.kill(-process, SIGKILL) }
        }
    }

    func kill() {
        state.withLock { state in
            state.isUnwanted = true
            if let process = state.process { Glibc.kill(-process, SIGKILL) }
        }
    }

    /// Waits for the end; what `waitpid` says of it. From then on its number may be another one's.
    func end(of process: pid_t) -> Int32 {
        var information = unsafe siginfo_t()
        let isExited = WEXITED | WNOWAIT
        while unsafe waitid(P_PID, id_t(process), &information, isExited) < 0, errno == EINTR {}
        return state.withLock { state in
            state.process = nil
            var word: Int32 = 0
            while unsafe waitpid(process, &word, 0) < 0, errno == EINTR {}
            return word
        }
    }
}

/// A pipe whose ends no other child gets by accident.
private struct Pipe: Sendable {
    let read: Int32
    let write: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    func closeRead() { close(read) }
    func closeWrite() { close(write) }

    /// Writes all of it, or as much as somebody reads: nobody who does is no reason to be killed by SIGPIPE.
    func write(_ bytes: [UInt8]) {
        var signals = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        writeBlocked(bytes)
        var now = timespec()
        while unsafe sigtimedwait(&signals, nil, &now) == SIGPIPE {}
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    private func writeBlocked(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(write, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            done += count
        }
    }

    /// Reads until the other end is closed; what is over the limit is thrown away.
    func readToEnd(limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(read, buffer.baseAddress, buffer.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += piece.prefix(min(count, limit - bytes.count))
        }
    }
}
