internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `relink`: a fresh origin URL for the same stream.
struct Relink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relink",
        abstract:
            "Give an asset a fresh address of the same stream; stored media stay, missing ones come from there.",
        discussion: """
            Options such as --header replace earlier ones of the same name, an empty value removes \
            one, and the others stay. The URL may be the one that the asset has already.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var access: AccessOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("Address of an HLS playlist.", valueName: "url"))
    var url: String

    func run() async throws {
        let token = try TokenArgument.sole(token)
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
        global.note(
            "\(asset.name) comes from \(asset.sourceURL) now; it is \(asset.state.rawValue)\(HealthReport.suffix(asset))"
        )
        for line in HealthReport.lines(asset) { Console.note("\(asset.name): \(line)") }
        guard !isCompared else { return }
        global.note(
            "its playlists match; no segment could be compared with the stored ones")
    }
}
