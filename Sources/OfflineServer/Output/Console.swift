internal import Glibc
internal import SystemPackage

/// The terminal: results go to stdout, everything else to stderr.
enum Console {
    /// Prints a line of the result.
    static func result(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// Prints bytes of the result as they are.
    static func result(bytes: [UInt8]) { _ = try? FileDescriptor.standardOutput.writeAll(bytes) }

    /// Tells the user something that is not the result.
    static func note(_ line: String) { write(line + "\n", to: .standardError) }

    /// Writes to stderr without ending the line.
    static func status(_ text: String) { write(text, to: .standardError) }

    /// Whether somebody looks at stderr.
    static var hasTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Columns of the terminal.
    static var width: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: FileDescriptor) {
        _ = try? descriptor.writeAll(Array(text.utf8))
    }
}
