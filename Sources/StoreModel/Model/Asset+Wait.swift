extension Asset {
    /// The reason for which it waits, and the advice, in a sentence; `nil` if it does not wait.
    public var wait: String? {
        guard state == .queued || state == .downloading, let reason else { return nil }
        if reason == Self.reasonOfNoEngine { return noEngine }
        switch StateReason(rawValue: reason) {
        case .slot: return Self.place
        case .link:
            return "it waits for a fresh address of its stream; \(Remedy.relink(token)) gives it one"
        case .waits(let reason): return "\(sentence(reason)); \(advice(reason))"
        default: return nil
        }
    }

    private static var place: String {
        "it waits until others are downloaded; \(Remedy.prioritize) changes their order"
    }

    private var noEngine: String {
        "no server runs on the store; \(Remedy.runEngine(token)) continues the download"
    }

    private func sentence(_ reason: WaitReason) -> String {
        switch reason {
        case .network: return "it waits: the network has no connection to its origin"
        case .disk:
            return room.map { "it waits for room: \($0.sentence)" }
                ?? "it waits for room: the limits of the store leave too little for the whole asset"
        case .files: return "it waits: too many files are open"
        case .bucket: return "it waits: the bucket of the store's media accepts no data"
        case .metered: return "it waits: the connection is metered"
        case .schedule: return "it waits for its time of day\(schedule.map { " (\($0.description))" } ?? "")"
        case .origin:
            let until = waitsUntil.map { " until \($0.zonedText)" } ?? ""
            return "it waits\(until): its origin asked for a pause, or sent only a part"
        }
    }

    private func advice(_ reason: WaitReason) -> String {
        switch reason {
        case .network: return "check the network; the download then continues by itself"
        case .disk: return room?.advice ?? "it continues by itself"
        case .files: return "let the program open more files (`ulimit -n`, or LimitNOFILE= of systemd)"
        case .bucket: return "it is tried again by itself; the server's log has the reason"
        case .metered:
            return
                "use another connection, or allow this one with \(Remedy.allowMetered)"
        case .schedule:
            return "it continues by itself then; PATCH /api/v1/assets/TOKEN changes its times"
        case .origin: return "it is tried again by itself"
        }
    }
}

extension RoomShortage {
    /// The bytes that are needed and left, and their limit, in a clause.
    public var sentence: String {
        let needs = needed > 0 ? "it needs \(ByteCount.text(needed)) more, and " : ""
        return "\(needs)\(left)"
    }

    private var left: String {
        let (free, size) = (ByteCount.text(free), ByteCount.text(size))
        switch limit {
        case .quota: return "\(free) are left of the quota of \(size)"
        case .fileSystem: return "the file system of the store has \(size) left"
        case .reserve: return "\(free) are left, since \(size) of the file system stay free"
        }
    }

    /// The advice about the limit, in a clause.
    public var advice: String {
        switch limit {
        case .quota:
            "remove something (\(Remedy.lookAtStorage) shows what uses how much), or raise the quota (\(Remedy.raiseQuota))"
        case .fileSystem, .reserve:
            "free some space on the file system; the download then continues by itself"
        }
    }
}

extension ByteCount {
    /// A number of bytes for people, in powers of ten: `12.3 MB`.
    package static func text(_ count: UInt64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var (value, unit) = (Double(count) / 1000, "kB")
        for larger in ["MB", "GB", "TB"] where value >= 999.5 { (value, unit) = (value / 1000, larger) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 || tenths >= 1000
            ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
