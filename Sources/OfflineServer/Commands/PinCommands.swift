internal import ArgumentParser
internal import AssetStore

/// `pin`: nothing evicts it.
struct Pin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Keep assets whatever the storage policy says.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws { try await PinChange(global: global, targets: targets, isPinned: true).run() }
}

/// `unpin`: takes that back.
struct Unpin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Let the storage policy evict assets again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var targets: TargetOptions

    func run() async throws { try await PinChange(global: global, targets: targets, isPinned: false).run() }
}

/// Pins or unpins and says what became of it.
private struct PinChange {
    let global: GlobalOptions
    let targets: TargetOptions
    let isPinned: Bool

    func run() async throws {
        let reader = try global.reader()
        let tokens =
            try targets.all
            ? reader.assets().map(\.token)
            : targets.tokens.map { try reader.requireAsset(TokenArgument.parse($0)).token }
        let session = try await EngineSession.open(global, startsDownloads: false)
        let report = try await session.closing { try await session.pin(tokens, isPinned) }
        let participle = isPinned ? "pinned" : "unpinned"
        guard !global.json else {
            let done = report.done.map { JSONValue.string($0.token) }
            return Console.result(JSONValue.object([(participle, .array(done))] + report.members).text)
        }
        global.note("\(participle) \(report.done.count) \(report.done.count == 1 ? "asset" : "assets")")
    }
}
