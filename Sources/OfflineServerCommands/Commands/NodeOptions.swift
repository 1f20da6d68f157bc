internal import ArgumentParser
internal import AssetStore
internal import Foundation
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
        guard nodeUrl.map(Self.isURL) ?? true else {
            throw ValidationError("--node-url wants a URL such as http://films-1.example:8090.")
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
    func url(_ settings: EngineSettings, port: UInt16) throws -> String {
        let url = nodeUrl ?? settings.nodeURL ?? "http://\(ProcessInfo.processInfo.hostName):\(port)"
        guard Self.isURL(url) else {
            throw CommandFailure(
                message: "node_url in config.json is no URL such as http://films-1.example:8090")
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    private static func isURL(_ text: String) -> Bool {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme) else { return false }
        return url.host?.isEmpty == false && url.user == nil && url.query == nil
    }
}
