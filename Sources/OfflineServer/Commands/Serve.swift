internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import Locking
internal import Logging
internal import SystemPackage
internal import UnixSignals

/// `serve`: the server and the download engine of a store.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the store and run its downloads until stopped.")

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Where to listen; port 0 picks a free one.", valueName: "addr:port"))
    var listen = "127.0.0.1:\(ListenAddress.usualPort)"

    @Flag(help: "Let other machines in, on every IPv4 address of this one; they must show the token.")
    var lan = false

    @Flag(
        help: """
            Demand the token in the store's file api-token on every request, as a bearer or as /t/TOKEN/…; so it is \
            wherever other machines could ask.
            """
    )
    var requireToken = false

    @Flag(help: "Add the bundled demo asset; needs no network.")
    var demo = false

    @Option(help: ArgumentHelp("Downloads at once.", valueName: "n"))
    var maxDownloads = 3

    @Option(
        help: ArgumentHelp(
            "Transfers at once for one asset and one host; what players wait for may come on top.",
            valueName: "n"))
    var transfers = 16

    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("Origin whose pages may read media; may be repeated.", valueName: "origin"))
    var allowedOrigins: [String] = []

    @Option(
        help: ArgumentHelp(
            "Whether players may reach the origin of an asset that is not downloading: never, unmetered or always.",
            valueName: "when"), transform: Self.fallback)
    var originFallback = OriginFallback.never

    @Option(
        help: ArgumentHelp(
            "Bytes of media that the store may hold, such as 50G (default: as config.json says).",
            valueName: "size"))
    var quota: ByteCount?

    @Option(
        help: ArgumentHelp(
            "What may be evicted to make room: expired, watched, low-priority, least-recently-played, all or none.",
            valueName: "class,…"), transform: EvictionArgument.parse)
    var evict: Set<EvictionClass>?

    @OptionGroup var policy: PolicyOptions

    private static func fallback(_ text: String) throws -> OriginFallback {
        guard let fallback = OriginFallback(rawValue: text) else {
            throw ValidationError("--origin-fallback wants never, unmetered or always.")
        }
        return fallback
    }

    func validate() throws {
        guard ListenAddress(listen) != nil else { throw ValidationError("--listen wants ADDRESS:PORT.") }
        guard allowedOrigins.allSatisfy({ AllowedOrigin.normalized($0) != nil }) else {
            throw ValidationError("--allow-origin wants https://player.example, http://127.0.0.1:* or *.")
        }
        guard (1...64).contains(transfers) else { throw ValidationError("--transfers wants 1 to 64.") }
        guard (1...64).contains(maxDownloads) else { throw ValidationError("--max-downloads wants 1 to 64.") }
    }

    func run() async throws {
        guard var address = ListenAddress(listen) else { return }
        if lan, ["127.0.0.1", "::1"].contains(address.host) { address.host = "0.0.0.0" }
        var configuration = Server.Configuration(
            root: global.root, address: address, log: global.log(global.quiet ? .error : .warning))
        configuration.allowedOrigins = allowedOrigins.compactMap(AllowedOrigin.normalized)
        configuration.requiresToken = requireToken
        configuration.engine.maximumDownloads = maxDownloads
        configuration.engine.transfersPerAsset = transfers
        configuration.engine.originFallback = originFallback
        let (notices, log) = (RetryNotices(), configuration.log)
        configuration.engine.onRetry = { wait in
            if let line = notices.line(wait, at: .now) { log.info("\(line)") }
        }
        configuration.engine.storage = try storagePolicy()
        policy.apply(to: &configuration.engine)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let server = try Server(configuration)
        let demoAsset = demo ? try await DemoAsset.add(to: server.store) : nil
        try await server.start()
        announce(server, address, demoAsset)
        ProcessResources.releaseStartupPages()
        for await _ in signals { break }
        await server.stop()
    }

    /// What the flags say goes before what the settings say; `nil` when they say nothing.
    private func storagePolicy() throws -> StoragePolicy? {
        guard quota != nil || evict != nil else { return nil }
        var policy = try StoragePolicy(settingsIn: global.root)
        policy.quota = quota?.bytes ?? policy.quota
        policy.evict = evict ?? policy.evict
        return policy
    }

    private func announce(_ server: Server, _ address: ListenAddress, _ demoAsset: AssetToken?) {
        guard !global.json else {
            let document: JSONValue = [
                "url": .string(server.url), "port": .integer(Int64(server.port)),
                "pid": .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
                "store": .string(global.root.string),
            ]
            return Console.result(document.text)
        }
        Console.result("listening on \(server.url)")
        if address.isEveryOne {
            global.note(
                "from other machines: this machine's name or address in the place of \(address.urlHost)")
        }
        if server.requiresToken {
            global.note(
                "players must put /t/TOKEN in front of each path; the token is in \(server.store.paths.apiToken)"
            )
        }
        if let demoAsset {
            global.note(
                "the demo is at \(server.url)/assets/\(demoAsset)/master.m3u8, or: offline-server play \(demoAsset)"
            )
        }
    }
}
