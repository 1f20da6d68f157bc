internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `repair`: fetches what is missing or damaged.
struct Repair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Fetch what is missing of an asset, or is damaged, and nothing else.",
        discussion: "Every stored byte is read first.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup var changes: ChangeOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() async throws {
        let token = try TokenArgument.parse(token)
        try global.reader().requireProgress(of: token)
        let session = try await EngineSession.open(global)
        let isComplete = try await session.closing {
            try await session.repair(
                token, isReading: true, acceptsChanges: changes.acceptChanges)
            return try await DownloadProgress(session: session, global: global).follow([token])
        }
        if !isComplete { throw CommandFailure(message: nil) }
    }
}
