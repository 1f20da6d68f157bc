internal import CSpawn
package import Glibc
internal import Locking

/// A program that this one starts: with its caller's file mode creation mask, no signal blocked, and no descriptor but
/// the first three.
package struct ChildProgram: Sendable {
    /// The program and its arguments; a name without a slash is looked for in PATH.
    package var words: [String]
    /// Variables besides those of this process.
    package var environment: [String: String] = [:]
    /// Whether a started program is killed when its parent thread ends. A kill of this process ends that thread, too.
    package var endsWithCaller = false

    /// Runs a program in this process's terminal, to its end. Signals that the caller ignores stay ignored; signals
    /// of the keyboard end the program only.
    ///
    /// - Returns: its exit status, or 128 plus the signal that ended it; `nil` if it can't be started.
    package static func run(_ words: [String]) async -> Int32? {
        await threads.run { ChildProgram(words: words).run() }
    }

    /// The threads that wait for programs.
    private static let threads = WorkPool(threads: 4)

    private func run() -> Int32? {
        var end: Int32 = 0
        let failure = unsafe withStrings { words, variables in
            unsafe cspawn_run(words, variables, mask, &end)
        }
        return failure == 0 ? Self.status(end) : nil
    }

    /// Starts it in a session of its own, with no signal ignored.
    ///
    /// - Returns: its number; `nil` when it can't be started.
    package func start(input: Int32, output: Int32, errors: Int32) -> pid_t? {
        var process: pid_t = 0
        let failure = unsafe withStrings { words, variables in
            unsafe cspawn_start(
                words, variables, mask, input, output, errors, endsWithCaller ? 1 : 0, &process)
        }
        return failure == 0 ? process : nil
    }

    /// The exit status in a result of `waitpid`, or 128 plus the signal that ended the child.
    package static func status(_ word: Int32) -> Int32 {
        word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }

    /// The mask of the program; -1 for that of this process.
    private var mask: Int32 { ProcessResources.callersMask.map { Int32($0) } ?? -1 }

    private typealias Strings = UnsafePointer<UnsafeMutablePointer<CChar>?>

    /// Calls `body` with the words and the variables as C has them.
    private func withStrings(_ body: (Strings, Strings) -> Int32) -> Int32 {
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe self.variables.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe arguments.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        return unsafe body(arguments, variables)
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
