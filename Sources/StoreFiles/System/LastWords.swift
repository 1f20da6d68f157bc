package import Dispatch
internal import Glibc
internal import Locking

/// The last line that a program writes to its standard error. Its children may keep that open for longer: it is read
/// while the program runs, and once more at its end.
package final class LastWords: Sendable {
    private struct State {
        var tail: [UInt8] = []
        var isOver = false
    }

    private let state = Lock(State())
    private let end = DispatchSemaphore(value: 0)
    private let descriptor: Int32
    /// The number of bytes to keep.
    private static let limit = 4096
    /// Characters of a line that are shown.
    private static let longest = 200

    /// - Parameter descriptor: the descriptor to read, which is closed at the end.
    package init(_ descriptor: Int32, _ queue: DispatchQueue) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        queue.async { self.follow() }
    }

    private func follow() {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let isOver = state.withLock(\.isOver)
            let count = unsafe Glibc.poll(&poll, 1, isOver ? 0 : 50)
            if count > 0, !take() { break }
            if count == 0, isOver { break }
        }
        close(descriptor)
        end.signal()
    }

    /// Returns whether more may come.
    private func take() -> Bool {
        var piece = [UInt8](repeating: 0, count: Self.limit)
        let count = unsafe piece.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        state.withLock { $0.tail = ($0.tail + piece.prefix(count)).suffix(Self.limit) }
        return true
    }

    /// The last line that is not empty, shortened; `nil` without one. Call it once, after the program has ended.
    package func line() -> String? {
        state.withLock { $0.isOver = true }
        end.wait()
        let text = String(decoding: state.withLock(\.tail), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.plainTrimmed }
        return lines.last { !$0.isEmpty }.map { String($0.prefix(Self.longest)) }
    }
}

extension Substring {
    /// The text in one line without blanks around it.
    fileprivate var plainTrimmed: String {
        let line = String(self).plainLine.drop { $0 == " " }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
