internal import AssetStore
internal import Locking

/// Tells people what failed and when it is tried again.
final class RetryNotices: Sendable {
    /// How long the same is not told again: when the network is gone, every transfer fails.
    static let silence = Duration.seconds(10)
    /// Seconds of waiting that are worth a word.
    static let shortestWait = 1.0
    private let told = Lock<[String: MonotonicTime]>([:])

    /// Writes a line to stderr, unless it would tell nothing new.
    func tell(_ wait: RetryWait) {
        if let line = line(wait, at: .now) { Console.note(line) }
    }

    /// The line about a failed try, for a user who wants to know of each.
    static func detail(_ wait: RetryWait) -> String {
        let seconds = (wait.seconds * 10).rounded() / 10
        return "\(wait.reason.occurrence); try \(wait.attempt) of \(wait.tries) in \(seconds) s"
    }

    /// The line about a wait that begins at `now`; `nil` when there is nothing new to say.
    func line(_ wait: RetryWait, at now: MonotonicTime) -> String? {
        guard wait.seconds >= Self.shortestWait else { return nil }
        let what = wait.reason.occurrence
        // The same trouble meets many segments.
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
