internal import SystemPackage

extension StoreCheckup {
    /// Tokens that are named at most.
    private static let named = 3

    /// Names the assets that are not sound, by the sizes of their files, and those that failed; `nil` if the catalog
    /// can't be read, which another check reports.
    ///
    /// Losses that no action can repair, such as gaps of a recording or a stream, are reported without being a fault.
    static func assets(_ root: FilePath) -> Finding? {
        guard let count = try? CountOfAssets(root), count.all > 0 else { return nil }
        let (unfinished, unsound) = (count.unfinished, count.unsound)
        let rest = unfinished == 0 ? "" : "; \(unfinished) not complete yet"
        guard let first = unsound.first else {
            let sound = count.all - unfinished
            let those =
                count.all == 1
                ? "the only one is"
                : unfinished == 0 ? "all \(sound) are" : sound == 1 ? "1 is" : "\(sound) are"
            let detail =
                sound == 0
                ? "none is complete yet" : "\(those) sound, judging by the lengths of their files\(rest)"
            return Finding(check: "assets", isFine: true, detail: detail)
        }
        let names = unsound.prefix(named).map { "\($0.token) (\($0.fault))" }
        let more = unsound.count > named ? " and \(unsound.count - named) more" : ""
        let status = "\(Remedy.lookAtAsset(first.token)) shows what is wrong"
        let advice = unsound.lazy.compactMap(\.advice).first.map { ", \($0)" } ?? ""
        return Finding(
            check: "assets", isFine: !unsound.contains(where: \.isMendable),
            detail:
                "\(unsound.count) of \(count.all) not sound: \(names.joined(separator: ", "))\(more)\(rest); \(status)\(advice)"
        )
    }
}

/// The assets of a store, each of whose files was looked at.
private struct CountOfAssets {
    var (all, unfinished) = (0, 0)
    /// The oldest first.
    var unsound: [Asset] = []
    /// Assets that are read at once.
    private static let pageSize = 500

    init(_ root: FilePath) throws(StoreError) {
        let reader = try StoreReader(root: root)
        var last: AssetToken?
        repeat {
            let page = try reader.assets(states: [], before: last, limit: Self.pageSize, checking: .max)
            unsound += page.filter(\.isFaulty)
            unfinished += page.count { !$0.isFaulty && $0.state != .complete }
            (all, last) = (all + page.count, page.last?.token)
        } while last != nil
        unsound.reverse()
    }
}

extension Asset {
    /// Whether its files can't be read.
    private var isUnreadable: Bool { availability.blockedBy.contains(.unreadable) }

    /// Whether it has a problem that its running download does not solve.
    fileprivate var isFaulty: Bool {
        isUnreadable || state == .failed || health.level == .damaged
            || state == .complete && health.level != .sound
    }

    /// The fault, in a word.
    fileprivate var fault: String {
        if isUnreadable { return "unreadable" }
        if state == .failed { return state.rawValue }
        guard health.level == .incomplete else { return health.level.rawValue }
        return switch license.state {
        case .expired: "license expired"
        case .revoked: "license revoked"
        case .missing: "key missing"
        case .none, .valid: health.level.rawValue
        }
    }

    /// Whether an action can solve its problem.
    fileprivate var isMendable: Bool {
        isUnreadable || state == .failed || health.level == .damaged
            || health.problems.contains { $0.advice != .none }
    }

    /// The command for its problem; `nil` without one.
    fileprivate var advice: String? {
        let all = health.problems.map(\.advice)
        let first = all.first { $0 != .none } ?? (state == .failed ? .resume : .none)
        return switch first {
        case .repair: "\(Remedy.repair(token)) fetches what its origin has"
        case .resume: "\(Remedy.resume(token)) tries it again"
        case .relink: "\(Remedy.relink(token)) gives it a fresh address"
        case .licenseRenew: "\(Remedy.renewLicense(token)) asks for its keys again"
        case .addTracks: "\(Remedy.addTracks(token)) reads the missing tracks again"
        case .addKey: "\(Remedy.addNamedKey(token)) adds a key that you have"
        case .none: nil
        }
    }
}
