internal import Foundation
internal import Glibc
internal import Locking
internal import SystemPackage

/// The terminal: results go to stdout, everything else to stderr. It owns the line at the bottom, so that no other
/// line runs into it.
enum Console {
    /// The line at the bottom; the lock is held while anything is written.
    private static let bottom = Lock(BottomLine())

    /// The error of printing a result. The work goes on; the command fails at its end.
    static let resultError = Lock<Errno?>(nil)

    /// Prints a line of the result.
    static func result(_ line: String) { result(bytes: Array((line + "\n").utf8)) }

    /// Prints a server's JSON object in one line.
    static func result(object: [String: Any]) throws {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        result(
            bytes: [UInt8](try JSONSerialization.data(withJSONObject: object, options: options)) + [
                UInt8(ascii: "\n")
            ])
    }

    /// Prints bytes of the result unchanged.
    static func result(bytes: [UInt8]) {
        // A pipe may be full: other threads must not wait for its reader.
        guard hasResultTerminal else { return put(bytes) }
        above { put(bytes) }
    }

    private static func put(_ bytes: [UInt8]) {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch {
            resultError.withLock { $0 = $0 ?? error as? Errno ?? .ioError }
        }
    }

    /// - Throws: `CommandFailure` if a result could not be printed; without a message if the reader has closed the
    ///   pipe.
    static func check() throws {
        guard let error = resultError.withLock({ $0 }) else { return }
        let message =
            error == .brokenPipe
            ? nil : "could not write to the standard output: \(error); check where it is sent to"
        throw CommandFailure(message: message)
    }

    /// Prints a note that is not part of the result.
    static func note(_ line: String) { bottom.withLock { write($0.above(line + "\n")) } }

    /// Lets `body` write whole lines to a terminal above the line at the bottom.
    static func above(_ body: () -> Void) {
        bottom.withLock { line in
            write(line.erasure)
            body()
            write(line.text)
        }
    }

    /// Replaces the line at the bottom of stderr.
    static func draw(_ line: String) { bottom.withLock { write($0.draw(line)) } }

    /// Erases the line at the bottom.
    static func clear() { bottom.withLock { write($0.clear()) } }

    private static func write(_ text: String) {
        guard !text.isEmpty else { return }
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }

    /// Whether stderr is a terminal.
    static var hasTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether stdout is a terminal.
    static let hasResultTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether stdout or stderr is the journal of systemd (JOURNAL_STREAM in systemd.exec(5)): other users may read
    /// the journal.
    static var isJournal: Bool {
        guard let journal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
        return [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
            var facts = stat()
            return unsafe fstat(descriptor, &facts) == 0 && "\(facts.st_dev):\(facts.st_ino)" == journal
        }
    }

    /// Columns of the terminal.
    static var width: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
