internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `repair`: fetches what is missing or damaged.
struct Repair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Fetch the missing and damaged segments of an asset, and nothing else.",
        discussion: """
            Every stored byte is read first. A file that you have put back from a backup is taken as it is, if its \
            bytes are those that were stored. The status is 1 if something could not be fetched.
            """)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var changes: ChangeOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() async throws {
        let token = try TokenArgument.sole(token)
        try global.reader().requireProgress(of: token)
        let session = try await EngineSession.open(global)
        let isComplete = try await session.closing {
            let isMending = try await session.repair(
                token, isReading: true, acceptsChanges: changes.acceptChanges)
            guard isMending else {
                try tell(token, try session.reader())
                return true
            }
            guard try await DownloadProgress(session: session, global: global).follow([token]) else {
                return false
            }
            // What could not be fetched has been reported.
            let health = try session.reader().requireAsset(token).health
            return health.level == .sound || !health.problems.contains { $0.advice == .repair }
        }
        if !isComplete { throw CommandFailure(message: nil) }
    }

    /// Reports that nothing was to be repaired, and the problems that a repair can't solve.
    private func tell(_ token: AssetToken, _ reader: StoreReader) throws {
        let asset = try reader.requireAsset(token, isListed: true)
        guard !global.json else {
            return Console.result(AssetDocument(asset: asset, server: reader.engine?.url).json.text)
        }
        let state = asset.health.level == .sound ? " and sound" : ""
        global.note("\(asset.name) is complete\(state), and there is nothing to repair")
        for line in HealthReport.lines(asset) { Console.note("\(asset.name): \(line)") }
    }
}
