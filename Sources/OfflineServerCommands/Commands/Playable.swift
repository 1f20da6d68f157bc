internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `playable`: whether an asset plays with no network.
struct Playable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playable",
        abstract: "Tell whether an asset plays with no network (exit 0) or not (exit 2).")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() async throws {
        let reader = try global.reader()
        let asset = try reader.requireAsset(try TokenArgument.sole(token))
        await EngineClient.tellDiscoveries(of: reader)
        if global.json {
            Console.result(AssetDocument(asset: asset).playable.text)
        } else {
            Console.result(PlayableReport.sentence(asset))
        }
        if !asset.availability.offline { throw CommandFailure(message: nil, status: CommandFailure.no) }
    }
}
