internal import AssetStore

/// Trouble of a download, in a line for people.
enum ActivityLine {
    /// Such as `retrying (2 of 8): the origin answered 500 …; next try in 4 s`; `nil` when all goes well, or it only
    /// waits in the queue.
    static func text(_ activity: AssetActivity?, now: Timestamp) -> String? {
        guard let activity, let error = activity.lastError else { return nil }
        switch activity.doing {
        case .resolving, .transferring, .finishing: return nil
        case .retrying, .waiting:
            let count = activity.attempt > 1 ? " (\(activity.attempt) of \(activity.of))" : ""
            return "\(activity.doing.rawValue)\(count): \(error.message)\(next(activity, now))"
        }
    }

    private static func next(_ activity: AssetActivity, _ now: Timestamp) -> String {
        guard let next = activity.nextTryAt else { return "" }
        let seconds = Double(next.milliseconds - now.milliseconds) / 1000
        return seconds > 0 ? "; next try in \(Int(seconds.rounded(.up))) s" : "; trying again now"
    }
}

/// Tells people of the trouble of a download where no line can be drawn again: once per change.
struct ActivityNotices {
    /// What was told last, without the time of the next try.
    private var told: String?

    /// What to say of an asset now; `nil` when there is nothing new to say.
    mutating func line(_ asset: Asset, _ activity: AssetActivity?, now: Timestamp) -> String? {
        guard let text = ActivityLine.text(activity, now: now), let activity else {
            defer { told = nil }
            return told != nil && asset.state == .downloading ? "\(asset.name): goes on" : nil
        }
        // The same trouble meets many segments.
        let what = activity.lastError.map { $0.message.replacing($0.url ?? "", with: "") } ?? ""
        let change = "\(activity.doing) \(activity.attempt) \(what)"
        guard told != change else { return nil }
        told = change
        return "\(asset.name): \(text)"
    }
}
