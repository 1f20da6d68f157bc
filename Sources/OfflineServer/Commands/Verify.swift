internal import ArgumentParser
internal import AssetStore

/// `verify`: re-hashes what is stored.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every stored byte again and compare it with what was downloaded (exit 2 on damage).",
        discussion: "What is damaged is served no more, until `repair` fetches it again.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Assets (default: all).", valueName: "token"))
    var tokens: [String] = []

    func run() async throws {
        let reader = try global.reader()
        var wanted = try tokens.map { text throws(StoreError) in try TokenArgument.parse(text) }
        if tokens.isEmpty { wanted = try reader.assets().map(\.token) }
        for token in wanted { try reader.requireProgress(of: token) }
        guard !wanted.isEmpty else { return showNothing() }
        let session = try await EngineSession.open(global, startsDownloads: false)
        var results: [Verification] = []
        try await session.closing {
            for token in wanted { results.append(try await session.verify(token)) }
        }
        show(results)
        if !results.allSatisfy(\.isSound) { throw CommandFailure(message: nil, status: CommandFailure.no) }
    }

    /// Without an asset, there may not even be a store, and none is made.
    private func showNothing() {
        if global.json { show([]) } else { global.note("no assets") }
    }

    private func show(_ results: [Verification]) {
        guard !global.json else {
            return Console.result(JSONValue.array(results.map { VerificationDocument($0).json }).text)
        }
        for result in results {
            for name in result.missing { Console.result("\(result.token)/\(name): missing") }
            for name in result.damaged { Console.result("\(result.token)/\(name): damaged") }
            let verdict =
                result.isSound
                ? "sound" : "damaged; `offline-server repair \(result.token)` fetches what is missing"
            Console.result("\(result.token): \(result.checked) files, \(verdict)")
        }
    }
}
