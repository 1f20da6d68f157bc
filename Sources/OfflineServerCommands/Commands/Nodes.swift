internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SystemPackage

/// `nodes`: the machines that share a store.
struct Nodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "List the machines that share the store, and which one is active.",
        discussion: "It asks the catalog's database; no server has to run.")

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The catalog's database (default: from the environment, config.json or the store's folder).",
            valueName: "url"))
    var catalog: String?

    func validate() throws {
        guard let catalog, let fault = PostgresAddress.fault(of: catalog) else { return }
        throw ValidationError("--catalog: \(fault).")
    }

    func run() async throws {
        let paths = StorePaths(root: global.root)
        let settings = try EngineSettings.read(paths.settings)
        let known = try NodeFolder(paths).address()
        guard let address = try NodeOptions.address(catalog, settings) ?? known else {
            throw CommandFailure(
                message: "the store belongs to one machine; name a shared catalog with --catalog")
        }
        let database = try Catalog(reading: address)
        defer { database.close() }
        let (nodes, now) = (try database.nodes.all(), try database.time())
        guard !global.json else {
            return Console.result(NodesDocument(nodes).json.text)
        }
        var table = Table("NODE", "ROLE", "SINCE", "LEASE", "URL")
        for node in nodes {
            let rest = (node.leaseUntil.milliseconds - now.milliseconds) / 1000
            let lease = rest >= 0 ? "\(rest) s" : "ended \(-rest) s ago"
            table.add(node.id, node.role.rawValue, node.since.zonedText, lease, node.url)
        }
        table.lines.forEach(Console.result)
    }
}
