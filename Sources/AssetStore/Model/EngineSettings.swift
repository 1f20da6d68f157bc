internal import FoundationEssentials
internal import HLSPlaylist
internal import HTTPTypes
internal import SystemPackage
internal import Transfers

/// What a store's `config.json` sets. Members that are not there have their usual values; unknown ones are refused
/// (`SettingsShape`).
public struct EngineSettings: Codable, Sendable {
    /// What is told when an asset comes into another state.
    public var hooks: [Hook] = []
    /// What is asked for a fresh address when an origin refuses an old one.
    public var linkResolver: ExternalService?
    /// How much the store may hold, and what may be evicted.
    public var storage = StoragePolicy()
    /// Who is asked for content keys, in this order.
    var keyProviders: [KeyProviderSettings] = []

    /// How many assets download at once; 1 to 64.
    public var maximumDownloads: Int?
    /// Transfers that one asset, and one host, may have at once; 1 to 64.
    public var transfersPerAsset: Int?
    /// Bytes a second for all downloads together.
    public var rateLimit: UInt64?
    /// Bytes a second for what comes from one origin.
    public var rateLimitPerHost: UInt64?
    /// When downloads go on.
    public var schedule: Schedule?
    /// Whether downloads go on while the connection costs by volume.
    public var mayUseMetered: Bool?
    /// Network interfaces that cost by volume; a name that ends with `*` stands for all that begin so.
    public var meteredInterfaces: [String] = []

    /// A service that is told of events.
    public struct Hook: Codable, Sendable {
        /// States, or kinds of events (`added`, `removed`, `changed`); all when empty.
        public var on: [String]
        /// Who is told.
        public var service: ExternalService

        init(on: [String] = [], service: ExternalService) {
            self.on = on
            self.service = service
        }

        /// Reads a hook: `on`, and `command` or `url`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            on = try container.decodeIfPresent([String].self, forKey: .on) ?? []
            service = try ExternalService(from: decoder)
        }

        /// Writes what `init(from:)` reads.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(on, forKey: .on)
            try service.encode(to: encoder)
        }

        private enum CodingKeys: String, CodingKey { case on }

        /// Whether it is to be told of an event.
        func concerns(_ event: AssetEvent) -> Bool {
            on.isEmpty
                || on.contains(event.kind == .state ? event.state?.rawValue ?? "" : event.kind.rawValue)
        }
    }

    /// The usual settings.
    public init() {}

    /// Reads settings; what is missing has its usual value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hooks = try container.decodeIfPresent([Hook].self, forKey: .hooks) ?? []
        linkResolver = try container.decodeIfPresent(ExternalService.self, forKey: .linkResolver)
        storage = try container.decodeIfPresent(StoragePolicy.self, forKey: .storage) ?? StoragePolicy()
        keyProviders = try container.decodeIfPresent([KeyProviderSettings].self, forKey: .keyProviders) ?? []
        maximumDownloads = try container.decodeIfPresent(Int.self, forKey: .maximumDownloads)
        transfersPerAsset = try container.decodeIfPresent(Int.self, forKey: .transfersPerAsset)
        rateLimit = try container.decodeIfPresent(UInt64.self, forKey: .rateLimit)
        rateLimitPerHost = try container.decodeIfPresent(UInt64.self, forKey: .rateLimitPerHost)
        schedule = try container.decodeIfPresent(Schedule.self, forKey: .schedule)
        mayUseMetered = try container.decodeIfPresent(Bool.self, forKey: .mayUseMetered)
        meteredInterfaces = try container.decodeIfPresent([String].self, forKey: .meteredInterfaces) ?? []
    }

    private enum CodingKeys: String, CodingKey {
        case hooks, schedule, storage
        case maximumDownloads = "max_downloads"
        case transfersPerAsset = "transfers"
        case rateLimit = "limit_rate"
        case rateLimitPerHost = "limit_rate_per_host"
        case mayUseMetered = "metered_ok"
        case meteredInterfaces = "metered_interfaces"
        case linkResolver = "link_resolver"
        case keyProviders = "key_providers"
    }

    /// What to do about a settings file in which secrets stand that others may read; `nil` when all is well.
    func exposure(_ path: FilePath) -> String? {
        guard keyProviders.contains(where: \.holdsSecrets), FileSystem.isOpenToOthers(path) else {
            return nil
        }
        return
            "\(path) has header fields of a key provider in it and can be read by others; `chmod 600 \(path)`, or have them in a file, credential or variable"
    }

    /// What can't be had of what the settings say is kept elsewhere: variables, credentials and files, each in a sentence
    /// that names the key provider.
    func absences(_ environment: [String: String]) -> [String] {
        keyProviders.flatMap { provider in
            provider.texts.compactMap { $0.problem(environment) }.map {
                "the key provider \(provider.name): \($0.message)"
            }
        }
    }

    /// Reads the settings of a store; the usual ones without a file.
    ///
    /// - Throws: `settings` when the file is not what it should be, with the line and what is wrong there.
    static func read(_ path: FilePath) throws(StoreError) -> EngineSettings {
        guard let bytes = try DurableWrite.read(path, limit: 1 << 20) else { return EngineSettings() }
        return try decode(bytes, of: path)
    }

    /// Decodes the content of a settings file.
    ///
    /// - Throws: `settings` when it is not what it should be, with the line and what is wrong there.
    static func decode(_ bytes: [UInt8], of path: FilePath) throws(StoreError) -> EngineSettings {
        if let fault = SettingsShape.fault(in: bytes) {
            let line = LocatedJSON.line(of: fault.offset, in: bytes)
            throw StoreError(.settings(path.string, line: line, fault))
        }
        do {
            return try JSONDecoder().decode(EngineSettings.self, from: Data(bytes))
        } catch {
            let fault = JSONFault(.syntax("it can't be read"), path: [])
            throw StoreError(.settings(path.string, line: 1, fault))
        }
    }
}

/// Somebody to ask or tell: a program, which gets JSON on its standard input, or a URL, which gets it by POST.
public struct ExternalService: Codable, Sendable {
    /// The program and its arguments.
    public var command: [String]?
    /// An http or https URL.
    public var url: String?

    init(command: [String]? = nil, url: String? = nil) {
        self.command = command
        self.url = url
    }

    /// Asks with a JSON document; returns the answer's bytes.
    ///
    /// - Throws: `service` when the program failed or the server did not answer with success.
    func ask(_ document: [UInt8], _ environment: [String: String], _ loop: TransferLoop)
        async
        throws(StoreError) -> [UInt8]
    {
        if let command, !command.isEmpty {
            let outcome = await ExternalCommand(words: command, environment: environment).run(input: document)
            guard outcome.status == 0 else {
                throw StoreError(.service(command[0], outcome.status, said: outcome.lastWords))
            }
            return outcome.output
        }
        var request = TransferRequest(url: url ?? "", method: .post(body: document))
        request.headerFields[.contentType] = "application/json"
        request.allowsPrivateAddresses = true
        request.maximumBodyBytes = UInt64(ExternalCommand.outputLimit)
        let (status, bytes) = try await Self.post(request, loop)
        guard (200..<300).contains(status) else {
            throw StoreError(.service(URIReference(request.url).redacted, Int32(status), said: nil))
        }
        return bytes
    }

    private static func post(_ request: TransferRequest, _ loop: TransferLoop) async throws(StoreError) -> (
        Int, [UInt8]
    ) {
        do throws(TransferError) {
            let (result, bytes) = try await loop.fetch(request)
            return (result.response.status, bytes)
        } catch {
            throw StoreError(error, url: request.url)
        }
    }
}
