internal import Foundation
internal import Glibc
internal import Locking
internal import SystemPackage

/// The terminal: results go to stdout, everything else to stderr. It owns the line that is drawn at the bottom, so that
/// nothing runs into it.
enum Console {
    /// The line at the bottom; held while anything is written.
    private static let bottom = Lock(BottomLine())

    /// Why a result could not be printed. What is being done goes on; the command fails in the end.
    static let resultError = Lock<Errno?>(nil)

    /// Prints a line of the result.
    static func result(_ line: String) { result(bytes: Array((line + "\n").utf8)) }

    /// Prints a JSON object that a server has answered, in one line.
    static func result(object: [String: Any]) throws {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        result(
            bytes: [UInt8](try JSONSerialization.data(withJSONObject: object, options: options)) + [
                UInt8(ascii: "\n")
            ])
    }

    /// Prints bytes of the result as they are.
    static func result(bytes: [UInt8]) {
        // A pipe may be full: nobody else is to wait for its reader.
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

    /// - Throws: `CommandFailure` when a result could not be printed; that nobody reads any more needs no words.
    static func check() throws {
        guard let error = resultError.withLock({ $0 }) else { return }
        let message =
            error == .brokenPipe
            ? nil : "could not write to the standard output: \(error); check where it is sent to"
        throw CommandFailure(message: message)
    }

    /// Tells the user something that is not the result.
    static func note(_ line: String) { bottom.withLock { write($0.above(line + "\n")) } }

    /// Lets `body` write whole lines to a terminal above the line at the bottom.
    static func above(_ body: () -> Void) {
        bottom.withLock { line in
            write(line.erasure)
            body()
            write(line.text)
        }
    }

    /// Draws the line at the bottom of stderr, in the place of the one before.
    static func draw(_ line: String) { bottom.withLock { write($0.draw(line)) } }

    /// Takes the line at the bottom away.
    static func clear() { bottom.withLock { write($0.clear()) } }

    private static func write(_ text: String) {
        guard !text.isEmpty else { return }
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }

    /// Whether stderr is a terminal.
    static var hasTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether stdout is a terminal.
    static let hasResultTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether stdout or stderr is the journal of systemd, as it says (JOURNAL_STREAM of systemd.exec(5)): others than the
    /// user may read that.
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
