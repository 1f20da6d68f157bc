internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `url`: the address that players get.
struct ShowURL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Print the playlist URL of an asset.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() throws {
        let reader = try global.reader()
        let asset = try reader.requireProgress(of: try TokenArgument.sole(token))
        let server = reader.playerAddress
        let url = AssetDocument(asset: asset, server: server).playlistURL
        Console.result(
            global.json
                ? (["playlist_url": .string(url), "served": .bool(server != nil)] as JSONValue).text : url)
        if server == nil { global.note("no server runs on this store; `offline-server serve` starts one") }
    }
}
