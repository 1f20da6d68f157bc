internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `pin`: protects assets from eviction.
struct Pin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Keep assets: the storage policy never evicts them.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws {
        try await AssetChanges(global: global, targets: targets, participle: "pinned").run {
            try await $0.pin($1, true)
        }
    }
}

/// `unpin`: takes that back.
struct Unpin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Let the storage policy evict assets again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws {
        try await AssetChanges(global: global, targets: targets, participle: "unpinned").run {
            try await $0.pin($1, false)
        }
    }
}

/// `prioritize`: changes the order of the queue.
struct Prioritize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prioritize",
        abstract: "Set the order of waiting downloads; running ones go on.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The priority: the highest goes first. The default of downloads is 0; -1 goes after the others.",
            valueName: "n"))
    var priority: Int

    func run() async throws {
        try await AssetChanges(global: global, targets: targets, participle: "prioritized").run {
            try await $0.prioritize($1, priority)
        }
    }
}

/// Changes assets and reports the result.
private struct AssetChanges {
    let global: GlobalOptions
    let targets: TargetOptions
    /// The participle of the action.
    let participle: String

    func run(_ change: (EngineSession, [AssetToken]) async throws -> ControlReport) async throws {
        let reader = try global.reader()
        let tokens =
            try targets.all
            ? reader.tokens()
            : TokenArgument.existing(targets.tokens, reader)
        // No store has to exist, and none is made.
        guard !tokens.isEmpty else { return try ControlReport().tell(participle, global) }
        let session = try await EngineSession.open(global, startsDownloads: false)
        let report = try await session.closing { try await change(session, tokens) }
        try report.tell(participle, global)
    }
}
