internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SystemPackage

/// The options for a store that several machines share.
struct NodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Share the store with other machines: keep its catalog in a PostgreSQL database, postgresql://USER@HOST/DATABASE; wants --media.",
            valueName: "url"))
    var catalog: String?

    @Option(
        help: ArgumentHelp(
            "URL at which others reach this machine's server (default: http://HOSTNAME:PORT); with --catalog.",
            valueName: "url"))
    var nodeUrl: String?

    func validate() throws {
        if let catalog, let fault = PostgresAddress.fault(of: catalog) {
            throw ValidationError("--catalog: \(fault).")
        }
        guard let nodeUrl else { return }
        do throws(NodeURL.Fault) { _ = try NodeURL(nodeUrl) } catch {
            throw ValidationError(error.sentence(about: "--node-url"))
        }
    }

    /// The database that an option, the environment or the settings name; `nil` for a store of one machine.
    func address(_ settings: EngineSettings) throws -> PostgresAddress? {
        let address = try Self.address(catalog, settings)
        guard address != nil || nodeUrl == nil else {
            throw ValidationError("--node-url goes with --catalog.")
        }
        return address
    }

    /// - Parameter catalog: the value of an option.
    static func address(_ catalog: String?, _ settings: EngineSettings) throws -> PostgresAddress? {
        let environment = ProcessInfo.processInfo.environment
        let named = catalog ?? environment[NodeFolder.variable].nonEmpty ?? settings.catalog
        guard let named else { return nil }
        if let fault = PostgresAddress.fault(of: named) {
            throw CommandFailure(message: "the catalog's database can't be used: \(fault)")
        }
        return PostgresAddress(named)
    }

    /// The URL at which other nodes reach the server.
    func url(_ settings: EngineSettings, port: UInt16) throws -> NodeURL {
        do throws(NodeURL.Fault) {
            if let named = nodeUrl ?? settings.nodeURL { return try NodeURL(named) }
            return try NodeURL(hostName: ProcessInfo.processInfo.hostName, port: port)
        } catch {
            let isNamed = settings.nodeURL != nil
            throw CommandFailure(
                message: isNamed
                    ? error.sentence(about: "node_url in config.json")
                    : "the name of this machine can't be used in a URL; name its URL with --node-url")
        }
    }

    /// The warning about a URL that nobody has chosen and that other machines can't reach; `nil` for any other one.
    func warning(
        _ settings: EngineSettings, _ url: NodeURL, listeningAt address: ListenAddress
    ) -> String? {
        guard nodeUrl == nil, settings.nodeURL == nil else { return nil }
        return PlaybackServer.warning(of: url, listeningAt: address)
    }
}
