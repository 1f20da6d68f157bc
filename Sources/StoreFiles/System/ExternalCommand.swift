internal import Dispatch
internal import Glibc
internal import Locking

/// A program of the user that answers a question: the input goes to its standard input, and the answer comes from its
/// standard output. It has no terminal and a limited time.
package struct ExternalCommand: Sendable {
    /// The program and its arguments; a name without a slash is looked for in PATH.
    package var words: [String]
    /// Variables besides those of this process.
    package var environment: [String: String] = [:]
    package var seconds: Double = 30
    /// Whether the program is ended when the task is cancelled.
    package var endsWithTask = false
    /// Whether the program is killed when this process ends, even if this process is killed itself.
    package var endsWithProcess = false

    package init(
        words: [String], environment: [String: String] = [:], seconds: Double = 30,
        endsWithTask: Bool = false, endsWithProcess: Bool = false
    ) {
        self.words = words
        self.environment = environment
        self.seconds = seconds
        self.endsWithTask = endsWithTask
        self.endsWithProcess = endsWithProcess
    }
    static let outputLimit = 1 << 20

    /// How a program ended.
    package struct Outcome: Sendable {
        /// The exit status; 128 plus the signal when one ended it, `nil` when it took too long or did not start.
        package var status: Int32?
        package var output: [UInt8]
        /// The last line that it wrote to its standard error.
        package var lastWords: String?
    }

    private static let queue = DispatchQueue(
        label: "offline-server.commands", qos: .utility, attributes: .concurrent)

    /// Runs it to its end.
    package func run(input: [UInt8]) async -> Outcome {
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
        guard let (into, from, errors, process) = start() else {
            return Outcome(status: nil, output: [])
        }
        group.began(process)
        into.closeRead()
        from.closeWrite()
        errors.closeWrite()
        let lastWords = LastWords(errors.read, Self.queue)
        // Its children are killed, too, since they would keep the output open.
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
        // Ended by us.
        return Outcome(
            status: word & 0x7F == SIGKILL ? nil : ChildProgram.status(word), output: output,
            lastWords: lastWords.line())
    }

    private func start() -> (into: Pipe, from: Pipe, errors: Pipe, process: pid_t)? {
        let pipes = [Pipe(), Pipe(), Pipe()].compactMap(\.self)
        let program = ChildProgram(
            words: words, environment: environment, endsWithCaller: endsWithProcess)
        guard pipes.count == 3,
            let process = program.start(
                input: pipes[0].read, output: pipes[1].write, errors: pipes[2].write)
        else {
            for pipe in pipes { pipe.close() }
            return nil
        }
        return (pipes[0], pipes[1], pipes[2], process)
    }
}

/// A running program and its children.
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

    /// Waits for the end; returns the result of `waitpid`. Afterwards another process may get its number.
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

/// A pipe whose ends no other child gets by accident: it would have no end then.
private struct Pipe: Sendable {
    let read: Int32
    let write: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    func closeRead() { Glibc.close(read) }
    func closeWrite() { Glibc.close(write) }

    func close() {
        closeRead()
        closeWrite()
    }

    /// Writes all bytes, or as many as the program reads: if it stops reading, SIGPIPE must not kill this process.
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

    /// Reads until the other end is closed; bytes over the limit are dropped.
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
