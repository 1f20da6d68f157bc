internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// The assets that a command does something to: some, or all it can be done to.
struct TargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The assets.", valueName: "token"))
    var tokens: [String] = []

    @Flag(help: "Every asset of the store that it concerns.")
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

    func run() async throws { try await Control(.pause, targets, global).run() }
}

/// `resume`: goes on.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract:
            "Queue downloads that were paused, cancelled or failed; the store's server goes on with them.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions
    @OptionGroup var changes: ChangeOptions

    func run() async throws {
        let isServed = try await Control(
            .resume, targets, global, acceptsChanges: changes.acceptChanges
        ).run()
        if !isServed { global.note("no server runs on this store; `offline-server serve` downloads it") }
    }
}

/// `cancel`: gives up.
struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Give downloads up; what is stored is kept for a day, for a resume.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    @Flag(help: "Free what is stored at once.")
    var purge = false

    func run() async throws { try await Control(.cancel, targets, global, purge: purge).run() }
}

/// `remove`: deletes assets.
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Delete assets with everything they have.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws { try await Control(.remove, targets, global).run() }
}

/// Does one thing to assets and says what became of it.
struct Control {
    private let action: AssetAction
    private let targets: TargetOptions
    private let global: GlobalOptions
    private let purge: Bool
    private let acceptsChanges: Bool

    init(
        _ action: AssetAction, _ targets: TargetOptions, _ global: GlobalOptions, purge: Bool = false,
        acceptsChanges: Bool = false
    ) {
        self.acceptsChanges = acceptsChanges
        self.action = action
        self.targets = targets
        self.global = global
        self.purge = purge
    }

    /// Returns whether a server that stays has done it, or nothing was to be done. Without an asset, there may not even be
    /// a store, and none is made.
    @discardableResult
    func run() async throws -> Bool {
        var (wanted, report) = try tokens()
        guard !wanted.isEmpty else {
            try report.tell(action.participle, global)
            return true
        }
        let session = try await EngineSession.open(global, startsDownloads: false)
        report.add(
            try await session.closing {
                if acceptsChanges { try await session.acceptChanges(of: wanted) }
                return try await session.perform(action, on: wanted, purge: purge)
            })
        try report.tell(action.participle, global)
        return session.isOther
    }

    /// The assets that it is to be done to, and what holds already: an asset that was removed is removed.
    private func tokens() throws -> (wanted: [AssetToken], report: ControlReport) {
        let reader = try global.reader()
        guard !targets.all else { return (try reader.tokens(for: action), ControlReport()) }
        var (wanted, report): ([AssetToken], ControlReport) = ([], ControlReport())
        for text in targets.tokens {
            let token = try TokenArgument.parse(text)
            if try reader.progress(of: token) != nil {
                wanted.append(token)
            } else if try action == .remove && reader.wasRemoved(token) {
                report.done.append((token.description, AssetState.removing.rawValue))
            } else {
                throw StoreError(.noSuchAsset(token.description))
            }
        }
        return (wanted, report)
    }
}

extension ControlReport {
    /// Says what was done and what was refused, and fails when anything was.
    ///
    /// - Parameter participle: `removed` and the like, for the tokens of what was done.
    func tell(_ participle: String, _ global: GlobalOptions) throws {
        if global.json {
            let tokens = done.map { JSONValue.string($0.token) }
            let problem = CommandFailure.members(refused)
            Console.result(JSONValue.object([(participle, .array(tokens))] + members + problem).text)
        } else {
            global.note("\(participle) \(done.count) \(done.count == 1 ? "asset" : "assets")")
        }
        for item in refused { Console.note("offline-server: \(item.token): \(item.detail)") }
        if !refused.isEmpty { throw CommandFailure(message: nil) }
    }
}
