internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import Locking
internal import Logging
internal import OfflineServer
internal import SystemPackage
internal import UnixSignals

/// `serve`: the server and the download engine of a store.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the store and run its downloads until stopped.",
        discussion: "SIGHUP makes it read config.json again; a file with an error changes nothing.")

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Where to listen; port 0 picks a free one.", valueName: "addr:port"))
    var listen = "127.0.0.1:\(ListenAddress.usualPort)"

    @Flag(
        help:
            "Listen on every IPv4 address of this machine, unless --listen names one for others, and demand the API token."
    )
    var lan = false

    @Flag(
        help: """
            Demand the API token (the store's file api-token) on every request, as a bearer or in \
            the path as /t/TOKEN/…; always demanded where other machines can reach the server.
            """
    )
    var requireToken = false

    @Flag(help: "Add the bundled demo asset; needs no network.")
    var demo = false

    @Option(
        help: ArgumentHelp("Downloads at once (default: as config.json says, else 3).", valueName: "n"))
    var maxDownloads: Int?

    @Option(
        help: ArgumentHelp(
            "Transfers at once for one asset and one host (default: as config.json says, else 16); transfers that players wait for may come on top.",
            valueName: "n"))
    var transfers: Int?

    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("Origin whose pages may read media; may be repeated.", valueName: "origin"))
    var allowedOrigins: [String] = []

    @Option(
        help: ArgumentHelp(
            "Address of a reverse proxy in front of the server, such as https://media.example; the page at that address may change the store.",
            valueName: "url"))
    var publicUrl: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Numeric address of a proxy whose X-Forwarded-Proto and X-Forwarded-Host are believed; may be repeated.",
            valueName: "addr"))
    var trustedProxies: [String] = []

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
            "Classes that may be evicted to make room: expired, watched, low-priority, least-recently-played, all or none.",
            valueName: "class,…"), transform: EvictionArgument.parse)
    var evict: Set<EvictionClass>?

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var bucket: BucketOptions

    @OptionGroup var node: NodeOptions

    private static func fallback(_ text: String) throws -> OriginFallback {
        guard let fallback = OriginFallback(rawValue: text) else {
            throw ValidationError("--origin-fallback wants never, unmetered or always.")
        }
        return fallback
    }

    func validate() throws {
        guard ListenAddress(listen) != nil else { throw ValidationError(ListenAddress.fault(listen)) }
        guard allowedOrigins.allSatisfy({ AllowedOrigin.normalized($0) != nil }) else {
            throw ValidationError("--allow-origin wants https://player.example, http://127.0.0.1:* or *.")
        }
        guard publicUrl.map({ PublicURL($0) != nil }) ?? true else {
            throw ValidationError("--public-url wants a URL such as https://media.example, without a query.")
        }
        guard trustedProxies.allSatisfy(ProxyPolicy.isAddress) else {
            throw ValidationError("--trusted-proxy wants a numeric IPv4 or IPv6 address.")
        }
        guard (1...64).contains(transfers ?? 1) else { throw ValidationError("--transfers wants 1 to 64.") }
        guard (1...64).contains(maxDownloads ?? 1) else {
            throw ValidationError("--max-downloads wants 1 to 64.")
        }
    }

    func run() async throws {
        guard var address = ListenAddress(listen) else { return }
        if lan, ["127.0.0.1", "::1"].contains(address.host) { address.host = "0.0.0.0" }
        let configuration = try configuration(address)
        if global.verbose { Self.trace(to: configuration.log) }
        let settings = try EngineSettings.read(StorePaths(root: global.root).settings)
        if let catalog = try node.address(settings) {
            return try await serve(as: catalog, configuration, settings)
        }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let server = try await ServedStore.open(configuration)
        let demoAsset = demo ? try await DemoAsset.add(to: server.store) : nil
        await server.start()
        announce(server.server, address, demoAsset: demoAsset)
        ProcessResources.releaseStartupPages()
        for await signal in signals {
            guard signal == .sighup else { break }
            await reload(server.store, configuration.log)
        }
        await server.stop()
    }

    /// The settings that the options give.
    private func configuration(_ address: ListenAddress) throws -> ServedStore.Configuration {
        var configuration = ServedStore.Configuration(
            root: global.root, log: global.log(global.quiet ? .error : .warning))
        configuration.server.address = address
        configuration.server.allowedOrigins = allowedOrigins
        configuration.server.requiresToken = requireToken
        configuration.server.grace = .seconds(5)
        (configuration.server.publicURL, configuration.server.trustedProxies) = (publicUrl, trustedProxies)
        configuration.engine.maximumDownloads = maxDownloads
        configuration.engine.transfersPerAsset = transfers
        configuration.engine.originFallback = originFallback
        configuration.engine.retryPauses = OfflineStore.Configuration.usualRetryPauses
        configuration.engine.onRetry = { [log = configuration.log] wait in
            log.info("\(RetryNotices.detail(wait))")
        }
        configuration.engine.storage = try storagePolicy()
        policy.apply(to: &configuration.engine)
        configuration.engine.media = try bucket.settings()
        return configuration
    }

    /// Tells the way of each request through the program.
    private static func trace(to log: Logger) {
        _ = Trace.listen { point in
            log.debug(
                "\(point.step.rawValue)", metadata: ["of": "\(point.subject)", "module": "\(point.module)"])
        }
    }

    /// Reads the settings again after SIGHUP. An invalid value, or a change that needs a restart, is reported and
    /// ignored.
    func reload(_ store: OfflineStore, _ log: Logger) async {
        do throws(StoreError) {
            let reload = try await store.settings.reload()
            if !reload.waiting.isEmpty {
                log.warning(
                    "\(reload.waiting.joined(separator: ", ")) in config.json take effect at the next start")
            }
            for key in reload.overruled {
                let option = Self.options[key] ?? "an option"
                log.warning(
                    "\(key) in config.json has no effect: serve was started with \(option), which takes precedence; start serve without it to use config.json"
                )
            }
            let changed = reload.changed.isEmpty ? "nothing" : reload.changed.joined(separator: ", ")
            global.note("config.json was read again; changed: \(changed)")
        } catch {
            log.warning("config.json has an error, so the settings stay as they were: \(error.message)")
        }
    }

    /// The options that go before the keys of the settings.
    private static let options = [
        "max_downloads": "--max-downloads", "transfers": "--transfers", "limit_rate": "--limit-rate",
        "limit_rate_per_host": "--limit-rate-per-host", "schedule": "--schedule",
        "metered_ok": "--metered-ok", "storage": "--quota or --evict", "media": "--media",
        "catalog": "--catalog", "node_url": "--node-url",
    ]

    /// The storage policy of the flags, which override the settings; `nil` without such flags.
    private func storagePolicy() throws -> StoragePolicy? {
        guard quota != nil || evict != nil else { return nil }
        var policy = try StoragePolicy(settingsIn: global.root)
        policy.quota = quota?.bytes ?? policy.quota
        policy.evict = evict ?? policy.evict
        return policy
    }

    /// The greeting shows the API token in a terminal only, never in a journal.
    private func greeting(
        _ server: PlaybackServer, _ address: ListenAddress, demo: AssetToken?
    ) -> Greeting {
        var greeting = Greeting(url: server.address, isOpen: !address.isLoopback, demo: demo)
        greeting.otherURLs = PlaybackServer.otherAddresses(address, port: server.port)
        guard server.requiresToken else { return greeting }
        let file = StorePaths(root: global.root).apiToken
        greeting.tokenFile = file.string
        if !Console.isJournal {
            greeting.token = APIToken.existing(file)
            greeting.code = server.makeSignInCode()
        }
        return greeting
    }

    private func announce(_ server: PlaybackServer, _ address: ListenAddress, demoAsset: AssetToken?) {
        let greeting = greeting(server, address, demo: demoAsset)
        guard !global.json else {
            let document: JSONValue = [
                "url": .string(server.address), "port": .integer(Int64(server.port)),
                "pid": .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
                "store": .string(global.root.string),
                "addresses": .array(greeting.addresses.map { .string($0) }),
                "sign_in_code": JSONValue(greeting.code),
            ]
            return Console.result(document.text)
        }
        Console.result("listening on \(server.address)")
        greeting.notes.forEach(global.note)
    }
}
