package import StoreReading

/// Trouble of a download, in a line for people.
package enum ActivityLine {
    /// Seconds after which reading playlists and keys is worth a word.
    private static let usualReading: Int64 = 3

    /// A text such as `retrying (2 of 8): the origin answered 500 …; next try in 4 s`, or `stalled 5 s: …`; `nil`
    /// without trouble, or while it only waits in the queue.
    package static func text(_ activity: AssetActivity?, now: Timestamp) -> String? {
        guard let activity else { return nil }
        switch activity.doing {
        case .transferring, .finishing:
            return stall(activity, now).map { "\($0): no byte comes from the origin" }
        case .resolving:
            let seconds = seconds(since: activity.since, now)
            return seconds < usualReading
                ? nil : "resolving \(seconds) s: its playlists and keys are being read"
        case .retrying, .waiting:
            guard let error = activity.lastError else { return nil }
            let count = activity.attempt > 1 ? " (\(activity.attempt) of \(activity.of))" : ""
            return "\(activity.doing.rawValue)\(count): \(error.message)\(next(activity, now))"
        }
    }

    /// A short text for a listing, such as `waits: network`, `retries: 503, try 3 of 8`, or the time of the next try of
    /// a failed download; `recording` for a recording without trouble; else `nil`.
    package static func short(
        _ asset: Asset, _ activity: AssetActivity?, now: Timestamp = SystemWallClock().now
    ) -> String? {
        if asset.state == .failed { return activity?.nextTryAt.map { "next try at \($0.localText)" } }
        guard [.queued, .resolving, .downloading].contains(asset.state) else { return nil }
        if let activity, let error = activity.lastError, activity.doing == .retrying {
            return "retries: \(cause(error)), try \(activity.attempt) of \(activity.of)"
        }
        let until = asset.waitsUntil.map { " until \($0.localText)" } ?? ""
        if let reason = asset.reason { return "waits: \(words[reason] ?? reason)\(until)" }
        let usual = asset.isRecording ? "recording" : nil
        guard let activity else { return usual }
        guard let error = activity.lastError, activity.doing == .waiting else {
            return stall(activity, now) ?? usual
        }
        return "waits: \(cause(error))\(until)"
    }

    private static func stall(_ activity: AssetActivity, _ now: Timestamp) -> String? {
        activity.stalledSince.map { "stalled \(seconds(since: $0, now)) s" }
    }

    private static func seconds(since moment: Timestamp, _ now: Timestamp) -> Int64 {
        max(0, now.milliseconds - moment.milliseconds) / 1000
    }

    /// Reasons whose names are not clear to people.
    private static let words = ["slot": "its turn", Asset.reasonOfNoEngine: "a server"]

    /// The status that an origin answered with, or the class of the error.
    private static func cause(_ error: AssetFailure) -> String {
        let answer = error.message.split(separator: "the origin answered ", maxSplits: 1)
        let status =
            error.message.contains("the origin answered ") ? answer.last?.prefix { $0.isNumber } : nil
        return status.flatMap { $0.isEmpty ? nil : String($0) } ?? error.errorClass
    }

    private static func next(_ activity: AssetActivity, _ now: Timestamp) -> String {
        guard let next = activity.nextTryAt else { return "" }
        let seconds = Double(next.milliseconds - now.milliseconds) / 1000
        return seconds > 0 ? "; next try in \(Int(seconds.rounded(.up))) s" : "; trying again now"
    }
}

/// Tells people of the trouble of a download where no line can be drawn again: once per change.
package struct ActivityNotices {
    /// The line that was told last, without the time of the next try.
    private var told: String?

    package init() {}

    /// The line about an asset now; `nil` if it has been printed.
    package mutating func line(_ asset: Asset, _ activity: AssetActivity?, now: Timestamp) -> String? {
        guard let text = ActivityLine.text(activity, now: now), let activity else {
            defer { told = nil }
            return told != nil && asset.state == .downloading ? "\(asset.name): goes on" : nil
        }
        // The same trouble meets many segments.
        let what = activity.lastError.map { $0.message.replacing($0.url ?? "", with: "") } ?? ""
        let stall = activity.stalledSince == nil ? "" : " stalled"
        let change = "\(activity.doing) \(activity.attempt) \(what)\(stall)"
        guard told != change else { return nil }
        told = change
        return "\(asset.name): \(text)"
    }
}
