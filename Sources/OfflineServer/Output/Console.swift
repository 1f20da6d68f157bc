internal import Glibc
internal import Locking
internal import SystemPackage

/// The terminal: results go to stdout, everything else to stderr.
enum Console {
    /// Why a result could not be printed. What is being done goes on; the command fails in the end.
    static let resultError = Lock<Errno?>(nil)

    /// Prints a line of the result.
    static func result(_ line: String) { result(bytes: Array((line + "\n").utf8)) }

    /// Prints bytes of the result as they are.
    static func result(bytes: [UInt8]) {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch {
            resultError.withLock { $0 = $0 ?? error as? Errno ?? .ioError }
        }
    }

    /// - Throws: `CommandFailure` when a result could not be printed; that nobody reads any more needs no words.
    static func check() throws {
        guard let error = resultError.withLock({ $0 }) else { return }
        let message =
            error == .brokenPipe
            ? nil : "could not write to the standard output: \(error); check where it is sent to"
        throw CommandFailure(message: message)
    }

    /// Tells the user something that is not the result.
    static func note(_ line: String) { status(line + "\n") }

    /// Writes to stderr without ending the line.
    static func status(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8)) }

    /// Whether somebody looks at stderr.
    static var hasTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether somebody looks at stdout.
    static var hasResultTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal.
    static var width: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
