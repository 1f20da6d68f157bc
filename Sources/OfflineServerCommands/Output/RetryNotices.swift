internal import AssetStore
internal import Locking

/// Reports failed requests and the times of their next tries.
final class RetryNotices: Sendable {
    /// The time for which the same failure is not reported again: without a network, every transfer fails.
    static let silence = Duration.seconds(10)
    /// The shortest wait that is reported, in seconds.
    static let shortestWait = 1.0
    private let told = Lock<[String: MonotonicTime]>([:])

    /// Writes a line to stderr, unless it has been reported already.
    func tell(_ wait: RetryWait) {
        if let line = line(wait, at: .now) { Console.note(line) }
    }

    /// The line about a single failed try, for `--verbose`.
    static func detail(_ wait: RetryWait) -> String {
        let seconds = (wait.seconds * 10).rounded() / 10
        return "\(wait.reason.occurrence); try \(wait.attempt) of \(wait.tries) in \(seconds) s"
    }

    /// The line about a wait that begins at `now`; `nil` if it has been reported.
    func line(_ wait: RetryWait, at now: MonotonicTime) -> String? {
        guard wait.seconds >= Self.shortestWait else { return nil }
        let what = wait.reason.occurrence
        // Many segments fail for the same reason.
        let kind = what.prefix { $0 != "(" }
        let isNew = told.withLock { told in
            told = told.filter { now < $0.value + Self.silence }
            guard told[String(kind)] == nil else { return false }
            told[String(kind)] = now
            return true
        }
        return isNew ? "\(what); trying again in \(Int(wait.seconds.rounded(.up))) s" : nil
    }
}
