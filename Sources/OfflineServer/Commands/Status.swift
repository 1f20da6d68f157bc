internal import ArgumentParser
internal import AssetStore

/// `status`: everything known of some assets.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show everything known of assets.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Assets (default: all).", valueName: "token"))
    var tokens: [String] = []

    @Flag(help: "Go on showing changes until nothing more happens.")
    var follow = false

    func run() async throws {
        let reader = try global.reader()
        let wanted = try tokens.map { text throws(StoreError) in try TokenArgument.parse(text) }
        var shown: [AssetToken: String] = [:]
        while true {
            let assets = try self.assets(wanted, reader)
            let speeds = await EngineClient.speeds(of: global.json ? assets : [], in: global.root)
            let server = reader.engine?.url
            let documents = assets.map {
                AssetDocument(asset: $0, server: server, speed: speeds[$0.token])
            }
            if global.json && !follow { return showAll(documents) }
            for document in documents { show(document, &shown) }
            guard follow, assets.contains(where: { !$0.state.isTerminal && $0.state != .paused }) else {
                return
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func assets(_ tokens: [AssetToken], _ reader: StoreReader) throws -> [Asset] {
        guard !tokens.isEmpty else { return try reader.assets() }
        // One of several that can't be looked at keeps the others from nothing.
        let isListed = tokens.count > 1
        return try tokens.map { token throws(StoreError) in
            try reader.requireAsset(token, isListed: isListed)
        }
    }

    /// One document: the object of the only asset that was named, else a list.
    private func showAll(_ documents: [AssetDocument]) {
        let objects = documents.map(\.json)
        Console.result((tokens.count == 1 ? objects.first : nil)?.pretty ?? JSONValue.array(objects).pretty)
    }

    private func show(_ document: AssetDocument, _ shown: inout [AssetToken: String]) {
        let token = document.asset.token
        let text = global.json ? document.json.text : Self.text(document)
        guard shown[token] != text else { return }
        shown[token] = text
        Console.result(text)
    }

    private static func text(_ document: AssetDocument) -> String {
        let asset = document.asset
        var lines = [
            "\(asset.name)", "  token     \(asset.token)",
            "  state     \(document.state)",
            "  stored    \(HumanUnits.percent(asset.progress)), \(HumanUnits.bytes(asset.storedBytes))",
            "  length    \(HumanUnits.duration(asset.duration))",
            "  offline   \(PlayableReport.sentence(asset))",
            "  source    \(asset.sourceURL)", "  play      \(document.playlistURL)",
        ]
        if let wait = asset.wait { lines.append("  waits     \(wait)") }
        if let failure = asset.failure { lines.append("  error     \(failure.message)") }
        for rendition in asset.renditions where rendition.hasPlaylist {
            lines.append(
                "  \(rendition.name): \(rendition.storedSegments) of \(rendition.segments) segments"
                    + (rendition.failure.map { ", lost: \($0)" } ?? ""))
        }
        return lines.joined(separator: "\n")
    }
}
