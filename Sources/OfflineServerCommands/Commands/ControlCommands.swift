internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// The assets that a command acts on: those that are named, or all in a state that fits.
struct TargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The assets; tag:WORD stands for all with that tag.", valueName: "token"))
    var tokens: [String] = []

    @Flag(help: "All assets of the store that the command can change.")
    var all = false

    func validate() throws {
        guard all != !tokens.isEmpty else { throw ValidationError("Name assets, or say --all.") }
    }
}

/// `pause`: stops transfers.
struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop downloads and keep everything; returns when no transfer is left.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws { try await Control(.pause, targets, global: global).run() }
}

/// `resume`: continues transfers.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract:
            "Queue downloads that were paused, cancelled or failed; the store's server goes on with them.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions
    @OptionGroup var changes: ChangeOptions

    func run() async throws {
        let isDone = try await Control(
            .resume, targets, global: global, acceptsChanges: changes.acceptChanges
        ).run()
        if !isDone { global.note("no server runs on this store; `offline-server serve` downloads it") }
    }
}

/// `cancel`: ends downloads for good.
struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Give downloads up; stored media are kept for a day, for a resume.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    @Flag(help: "Free the stored media at once.")
    var purge = false

    func run() async throws { try await Control(.cancel, targets, global: global, purge: purge).run() }
}

/// `remove`: deletes assets.
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Delete assets with everything they have.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws { try await Control(.remove, targets, global: global).run() }
}

/// Carries out one action on assets and reports the result.
struct Control {
    private let action: AssetAction
    private let targets: TargetOptions
    private let global: GlobalOptions
    private let purge: Bool
    private let acceptsChanges: Bool

    init(
        _ action: AssetAction, _ targets: TargetOptions, global: GlobalOptions, purge: Bool = false,
        acceptsChanges: Bool = false
    ) {
        self.acceptsChanges = acceptsChanges
        self.action = action
        self.targets = targets
        self.global = global
        self.purge = purge
    }

    /// Returns whether the server of another process has carried it out, or there was nothing to do. Without a token,
    /// no store has to exist, and none is made.
    @discardableResult
    func run() async throws -> Bool {
        var (wanted, report) = try tokens()
        guard !wanted.isEmpty else {
            try report.tell(action.participle, global, held: gone(report))
            return true
        }
        let gone = gone(report)
        let before = try assets(wanted)
        let session = try await EngineSession.open(global, startsDownloads: false)
        report.add(
            try await session.closing {
                if acceptsChanges { try await session.acceptChanges(of: wanted) }
                return try await session.perform(action, on: wanted, purge: purge)
            })
        let held = gone + held(report, before: before)
        try report.tell(action.participle, global, held: held)
        return session.isOther || held.count == report.done.count
    }

    /// The assets in their states before the action.
    private func assets(_ tokens: [AssetToken]) throws -> [String: Asset] {
        guard !targets.all else { return [:] }
        let reader = try global.reader()
        var assets: [String: Asset] = [:]
        for token in tokens { assets[token.description] = try reader.asset(token, isListed: true) }
        return assets
    }

    /// The remarks on assets that were removed before.
    private func gone(_ report: ControlReport) -> [String] {
        report.done.map { "\($0.token) was removed before" }
    }

    /// The remarks on assets that were in the wanted state already.
    private func held(_ report: ControlReport, before: [String: Asset]) -> [String] {
        report.done.compactMap { item in
            guard let asset = before[item.token], asset.state.rawValue == item.state, !purge else {
                return nil
            }
            let damage = action == .resume && asset.health.level == .damaged
            let advice = damage ? ", but damaged; `offline-server repair \(item.token)` mends it" : ""
            return action.remark(on: asset.state).map { "\(item.token) \($0)\(advice)" }
        }
    }

    /// The assets to act on, and a report on those in the wanted state already: an asset that was removed stays
    /// removed.
    private func tokens() throws -> (wanted: [AssetToken], report: ControlReport) {
        let reader = try global.reader()
        guard !targets.all else { return (try reader.tokens(for: action), ControlReport()) }
        var (wanted, report): ([AssetToken], ControlReport) = ([], ControlReport())
        var seen: Set<AssetToken> = []
        for text in targets.tokens {
            if text.hasPrefix(AssetTag.prefix) {
                wanted += try TokenArgument.expand([text], reader).filter { seen.insert($0).inserted }
                continue
            }
            let token = try TokenArgument.parse(text)
            if try reader.progress(of: token) != nil {
                if seen.insert(token).inserted { wanted.append(token) }
            } else if try action == .remove && reader.wasRemoved(token) {
                report.done.append((token.description, AssetState.removing.rawValue))
            } else {
                throw StoreError(.noSuchAsset(token.description))
            }
        }
        return (wanted, report)
    }
}

extension AssetAction {
    /// The remark on an asset in a state that the action does not change; `nil` when the action was done.
    fileprivate func remark(on state: AssetState) -> String? {
        switch (self, state) {
        case (.resume, .complete), (.resume, .downloading), (.pause, .paused), (.cancel, .cancelled):
            "is \(state.rawValue) already"
        case (.pause, .failed): "has failed, and there is nothing to pause"
        case (.pause, .complete), (.pause, .cancelled):
            "is \(state.rawValue), and there is nothing to pause"
        default: nil
        }
    }
}

extension ControlReport {
    /// Prints the results and the refusals; throws if there was a refusal.
    ///
    /// - Parameters:
    ///   - participle: the word behind each token, such as `removed`.
    ///   - held: sentences about assets that were in the wanted state already. Programs see them as done.
    func tell(_ participle: String, _ global: GlobalOptions, held: [String] = []) throws {
        if global.json {
            let tokens = done.map { JSONValue.string($0.token) }
            let problem = CommandFailure.members(refused)
            Console.result(JSONValue.object([(participle, .array(tokens))] + members + problem).text)
        } else {
            held.forEach(global.note)
            let count = done.count - held.count
            if count > 0 || held.isEmpty {
                global.note("\(participle) \(count) \(count == 1 ? "asset" : "assets")")
            }
        }
        for item in refused { Console.note("offline-server: \(item.token): \(item.detail)") }
        if !refused.isEmpty { throw CommandFailure(message: nil) }
    }
}
