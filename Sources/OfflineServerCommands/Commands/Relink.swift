internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `relink`: a fresh origin URL for the same stream.
struct Relink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relink",
        abstract:
            "Take a fresh address of the same stream; what is stored stays, what is missing comes from there.",
        discussion: """
            What is said of how the origin is asked (--header and the like) takes the place of what was said before, \
            and the rest stays; an empty value takes it back. The address may be the one it has.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var access: AccessOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("Address of an HLS playlist.", valueName: "url"))
    var url: String

    func run() async throws {
        let token = try TokenArgument.parse(token)
        try global.reader().requireProgress(of: token)
        let edit = try access.edit()
        let session = try await EngineSession.open(global, startsDownloads: false)
        let isCompared = try await session.closing {
            try await global.notingPatience(with: url) { try await session.relink(token, to: url, edit) }
        }
        let reader = try global.reader()
        let asset = try reader.requireAsset(token, isListed: true)
        guard !global.json else {
            return Console.result(AssetDocument(asset: asset, server: reader.engine?.url).json.text)
        }
        global.note("\(asset.name) comes from \(asset.sourceURL) now; it is \(asset.state.rawValue)")
        guard !isCompared else { return }
        global.note(
            "its playlists are alike, and no segment from there could be compared with those that are stored")
    }
}
