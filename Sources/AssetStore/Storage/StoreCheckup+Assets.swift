internal import SystemPackage

extension StoreCheckup {
    /// Tokens that are named at most.
    private static let named = 3

    /// Names the complete assets that are not sound, by a look at the sizes of their files; `nil` of a store whose catalog
    /// can't be read, which another check tells.
    ///
    /// What a recording or a stream never had is told and is no fault: nothing brings it.
    static func assets(_ root: FilePath) -> Finding? {
        guard let reader = try? StoreReader(root: root), let tokens = try? reader.tokens(), !tokens.isEmpty
        else { return nil }
        var unsound: [Asset] = []
        for token in tokens {
            guard let asset = (try? reader.asset(token, isListed: true)) ?? nil else { continue }
            let isDone = asset.state == .complete && asset.health.level != .sound
            if isDone || asset.health.level == .damaged || asset.isUnreadable { unsound.append(asset) }
        }
        let count = tokens.count == 1 ? "the only one is" : "all \(tokens.count) are"
        guard let first = unsound.first else {
            return Finding(check: "assets", isFine: true, detail: "\(count) sound, as far as files tell")
        }
        let names = unsound.prefix(named).map {
            "\($0.token) (\($0.isUnreadable ? "unreadable" : $0.health.level.rawValue))"
        }
        let rest = unsound.count > named ? " and \(unsound.count - named) more" : ""
        let advice =
            "`offline-server status \(first.token)` tells what is wrong, `offline-server repair \(first.token)` fetches what can be had"
        return Finding(
            check: "assets", isFine: !unsound.contains(where: \.isMendable),
            detail:
                "\(unsound.count) of \(tokens.count) not sound: \(names.joined(separator: ", "))\(rest); \(advice)"
        )
    }
}

extension Asset {
    /// Whether nobody can look at its files.
    fileprivate var isUnreadable: Bool { availability.blockedBy.contains(.unreadable) }

    /// Whether something can be done about what is wrong with it, or should have been.
    fileprivate var isMendable: Bool {
        isUnreadable || health.level == .damaged || health.problems.contains { $0.advice != .none }
    }
}
