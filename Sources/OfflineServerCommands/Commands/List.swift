internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `list`: all assets, the newest first.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the assets of the store, the newest first.")

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only assets in this state; may be repeated.", valueName: "state"))
    var state: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only assets with a license that is valid and ends within this time (3d, 48h).", valueName: "d"))
    var expiring: TimeSpan?

    @Option(help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Only assets older than this one: the next page.", valueName: "token"))
    var before: AssetToken?

    func validate() throws {
        for name in state where AssetState(rawValue: name) == nil {
            let names = AssetState.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no state \(name); the states are \(names).")
        }
        guard (limit ?? 1) > 0 else { throw ValidationError("--limit must be above 0.") }
    }

    /// With fewer assets than these, the list looks for folders of assets that the catalog does not have.
    private static let few = 100
    /// The notice about a store without assets.
    static let none = "no assets; `offline-server download URL` makes one"

    func run() async throws {
        let reader = try global.reader()
        let server = reader.engine?.url
        let assets = try reader.assets(
            states: state.compactMap(AssetState.init), before: before, expiring: expiring?.seconds,
            limit: limit ?? .max)
        await EngineClient.tellDiscoveries(of: reader)
        var look = LiveLook(root: global.root)
        let live = await look.figures(of: assets)
        await look.close()
        let isWhole =
            state.isEmpty && expiring == nil && before == nil && assets.count < limit ?? .max
        let lost = assets.count < Self.few && isWhole ? reader.orphans.assetFolders - assets.count : 0
        if lost > assets.count {
            let known = assets.isEmpty ? "no assets, but folders of" : "few assets, but folders of other"
            global.note(
                "the catalog has \(known) assets are there (\(lost)); `offline-server doctor` says what to do"
            )
        }
        guard !global.json else {
            let documents = assets.map {
                AssetDocument(asset: $0, server: server, live: live[$0.token] ?? LiveFigures()).json
            }
            return Console.result(JSONValue.array(documents).text)
        }
        guard !assets.isEmpty else {
            guard lost == 0 else { return }
            return global.note(
                isWhole ? Self.none : "no such assets")
        }
        var table = Table("TOKEN", "STATE", "STORED", "SIZE", "LENGTH", "NAME")
        for asset in assets {
            let wait = ActivityLine.short(asset, live[asset.token]?.activity).map { ", \($0)" } ?? ""
            table.add(
                asset.token.description, asset.state.rawValue + HealthReport.suffix(asset) + wait,
                asset.isRecording ? Table.nothing : HumanUnits.percent(asset.progress),
                HumanUnits.bytes(asset.storedBytes), HumanUnits.duration(asset.duration), asset.name)
        }
        for line in table.lines { Console.result(line) }
    }
}
