extension Asset {
    /// What it waits for, and what to do about it, in a sentence; `nil` when it does not wait.
    public var wait: String? {
        guard state == .queued || state == .downloading, let reason else { return nil }
        guard let waited = WaitReason(rawValue: reason) else { return reason == "slot" ? Self.place : nil }
        return "\(sentence(waited)); \(Self.advice(waited))"
    }

    private static let place =
        "it waits until others are downloaded; `offline-server prioritize` changes their order"

    private func sentence(_ reason: WaitReason) -> String {
        switch reason {
        case .network: return "it waits, for there is no way to its origin"
        case .disk: return "it waits for room: the limits of the store leave too little for all of it"
        case .files: return "it waits, for too many files are open"
        case .metered: return "it waits, for the connection costs by volume"
        case .schedule: return "it waits for its time of day\(schedule.map { " (\($0.description))" } ?? "")"
        case .origin:
            let until = waitsUntil.map { " until \($0.rfc3339)" } ?? ""
            return "it waits\(until), for its origin asked for that or gave not all of it"
        }
    }

    private static func advice(_ reason: WaitReason) -> String {
        switch reason {
        case .network: "check the network, it goes on by itself"
        case .disk:
            "free some space, and it goes on by itself; or raise the quota, which `offline-server storage` shows, and start the engine again"
        case .files: "let the program open more (`ulimit -n`, or LimitNOFILE= of systemd)"
        case .metered:
            "use another connection, or allow this one with `serve --metered-ok`, or metered_ok in PATCH /api/v1/settings"
        case .schedule: "it goes on by itself then, or change its times with PATCH /api/v1/assets/TOKEN"
        case .origin: "it is tried again by itself"
        }
    }
}
