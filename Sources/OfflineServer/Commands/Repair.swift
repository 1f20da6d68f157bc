internal import ArgumentParser
internal import AssetStore

/// `repair`: fetches what is missing or damaged.
struct Repair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Fetch what is missing of an asset, or was found damaged, and nothing else.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() async throws {
        let token = try TokenArgument.parse(token)
        _ = try global.reader().requireAsset(token)
        let session = try await EngineSession.open(global)
        let outcome: Result<Bool, any Error>
        do {
            try await session.repair(token)
            outcome = .success(try await DownloadProgress(session: session, global: global).follow([token]))
        } catch {
            outcome = .failure(error)
        }
        await session.close()
        if try !outcome.get() { throw CommandFailure(message: nil) }
    }
}
