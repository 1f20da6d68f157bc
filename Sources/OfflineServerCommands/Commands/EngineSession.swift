internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SystemPackage
internal import Transfers

/// The outcome of a request for a new asset.
struct AddedAsset {
    var token: AssetToken
    /// Renditions that could not be read and were left out, with the reason.
    var lost: [String] = []
    /// The asset that exists already for the same address.
    var existing: AssetToken?
    /// The error for which its playlists can't be read now; `nil` when they have been read.
    var trouble: String?
}

/// The engine that does a command's work: that of a server that runs on the store, or one that this process runs for
/// the time of the command.
enum EngineSession: Sendable {
    case own(ServedStore)
    case other(EngineClient)

    /// Finds the engine of the store, or starts one.
    ///
    /// - Parameter startsDownloads: whether an engine of this process continues queued downloads.
    static func open(_ global: GlobalOptions, startsDownloads: Bool = true) async throws -> EngineSession {
        do {
            var configuration = ServedStore.Configuration(root: global.root, log: global.log())
            configuration.server.fallsBackToFreePort = true
            configuration.engine.onRetry = global.onRetry
            let server = try await ServedStore.open(configuration)
            if startsDownloads {
                tellOtherPort(of: server, wanted: configuration.server.address, global)
                await server.start()
            }
            return .own(server)
        } catch let error as StoreError {
            guard case .storeInUse = error.code, let client = try await EngineClient.find(global.root) else {
                throw error
            }
            return .other(client)
        }
    }

    /// Reports that the server of this command has another port than usual, since another program has the usual one.
    private static func tellOtherPort(
        of server: ServedStore, wanted: ListenAddress, _ global: GlobalOptions
    ) {
        guard wanted.port != 0, let port = server.url.split(separator: ":").last, port != "\(wanted.port)"
        else {
            return
        }
        let holder =
            PortHolder.find(wanted.port).map { "process \($0.process) (\($0.name))" } ?? "another program"
        global.note(
            "port \(wanted.port) is in use by \(holder): the addresses below have port \(port), and work until this command ends"
        )
    }

    /// The address of the engine's server.
    var url: String {
        switch self {
        case .own(let server): server.url
        case .other(let client): client.url
        }
    }

    /// The part in front of the paths of players' addresses. With another process's engine it is read from the store
    /// each time.
    var playerAddress: String {
        switch self {
        case .own(let server): server.url
        case .other(let client): (try? reader())?.playerAddress ?? client.url
        }
    }

    /// A request for a path of the server.
    func request(_ path: String, _ method: TransferRequest.Method) -> TransferRequest {
        switch self {
        case .own(let server):
            var request = TransferRequest(url: "\(server.url)/\(path)", method: method)
            request.allowsPrivateAddresses = true
            return request
        case .other(let client): return client.request(path, method, below: "")
        }
    }

    /// A look at the store.
    func reader() throws -> StoreReader {
        switch self {
        case .own(let server): server.store.reader
        case .other(let client): try StoreReader(root: client.root)
        }
    }

    /// A reader of the store that has all of its media, also those in a bucket.
    func mediaReader() throws -> StoreReader {
        switch self {
        case .own(let server): server.store.reader
        case .other(let client): try reader().bringing(ServerMedia(client: client))
        }
    }

    /// Adds an asset, to be downloaded after `release`.
    func add(_ request: AssetRequest) async throws -> AddedAsset {
        switch self {
        case .own(let server):
            let added = try await server.store.intake.add(request, isHeld: true, queuesWhenBusy: true)
            return AddedAsset(
                token: added.token, lost: added.lost, existing: added.existing,
                trouble: added.waitsFor?.occurrence)
        case .other(let client): return try await client.add(request)
        }
    }

    /// Enters assets to be resolved when their turn in the queue comes, and to be downloaded after `release`.
    ///
    /// - Parameter next: how many of the list to add, counting those that exist; `nil` adds all.
    func enqueue(_ requests: [AssetRequest], next: Int?) async throws -> Enqueued {
        switch self {
        case .own(let server): try await server.store.intake.enqueue(requests, isHeld: true, next: next)
        case .other(let client): try await client.enqueue(requests, next: next)
        }
    }

    /// Starts the downloads of assets that were added.
    func release(_ tokens: [AssetToken]) async throws {
        switch self {
        case .own(let server): await server.store.intake.release(tokens)
        case .other(let client): _ = try await client.perform(.resume, on: tokens, purge: false)
        }
    }

    /// Ends the recordings among the assets that this process records; returns whether there were any.
    func stopRecordings(_ tokens: [AssetToken]) -> Bool {
        guard case .own(let server) = self else { return false }
        let open = tokens.filter { (try? server.store.reader.progress(of: $0))??.recording?.isOpen == true }
        for token in open { try? server.store.control.stopRecording(token) }
        return !open.isEmpty
    }

    /// Fetches the missing units of an asset.
    ///
    /// - Parameters:
    ///   - isReading: whether to read every stored byte first; otherwise the lengths of files are checked.
    ///   - acceptsChanges: whether a different stream at the origin replaces the stored one.
    /// - Returns: whether there was something to repair, or work was under way.
    @discardableResult
    func repair(_ token: AssetToken, isReading: Bool, acceptsChanges: Bool) async throws -> Bool {
        switch self {
        case .own(let server):
            if acceptsChanges { try await server.store.sources.acceptChanges(of: token) }
            return try await server.store.repairer.repair(token, isReading: isReading)
        case .other(let client):
            let body = RepairBody(quick: !isReading, acceptChanges: acceptsChanges ? true : nil)
            return try await client.ask("assets/\(token)/repair", body)["mending"] as? Bool ?? true
        }
    }

    /// Replaces the stored streams of assets whose origins have different ones now.
    func acceptChanges(of tokens: [AssetToken]) async throws {
        for token in tokens {
            switch self {
            case .own(let server): try await server.store.sources.acceptChanges(of: token)
            case .other(let client):
                _ = try await client.ask("assets/\(token)/resume", ResumeBody(acceptChanges: true))
            }
        }
    }

    /// Gives an asset a fresh address of the same stream; returns whether the streams were compared, if they had to
    /// be.
    func relink(_ token: AssetToken, to url: String, _ edit: AccessEdit) async throws -> Bool {
        switch self {
        case .own(let server): return try await server.store.sources.relink(token, to: url, edit)
        case .other(let client):
            let answer = try await client.ask("assets/\(token)/relink", RelinkBody(url, edit))
            return answer["compared"] as? Bool ?? true
        }
    }

    /// Adds renditions to an asset, or removes some; returns the names of the new ones, and those that could not be
    /// read.
    func change(_ tracks: TracksBody, of token: AssetToken) async throws -> (added: [String], lost: [String])
    {
        switch self {
        case .own(let server):
            let added = try await server.store.change(tracks, of: token)
            return (added.names, added.lost)
        case .other(let client):
            let answer = try await client.change(tracks, of: token)
            return (answer["added"] as? [String] ?? [], answer["lost"] as? [String] ?? [])
        }
    }

    /// Pauses, resumes, cancels or removes assets; returns when it holds.
    func perform(_ action: AssetAction, on tokens: [AssetToken], purge: Bool) async throws -> ControlReport {
        switch self {
        case .own(let server):
            ControlReport(
                try await server.store.control.perform(action, on: tokens, purge: purge, starts: false))
        case .other(let client): try await client.perform(action, on: tokens, purge: purge)
        }
    }

    /// Pins or unpins assets.
    func pin(_ tokens: [AssetToken], _ isPinned: Bool) async throws -> ControlReport {
        switch self {
        case .own(let server): ControlReport(try server.store.control.pin(tokens, isPinned))
        case .other(let client): try await client.pin(tokens, isPinned)
        }
    }

    /// Gives assets a priority.
    func prioritize(_ tokens: [AssetToken], _ priority: Int) async throws -> ControlReport {
        switch self {
        case .own(let server): ControlReport(try await server.store.control.prioritize(tokens, priority))
        case .other(let client): try await client.prioritize(tokens, priority)
        }
    }

    /// Deletes assets as the storage policy says; returns a `PruneDocument` as a JSON object.
    func prune(_ body: PruneBody) async throws -> [String: Any] {
        switch self {
        case .own(let server):
            let report = try await server.store.housekeeper.prune(
                freeing: body.free ?? 0, body.evict.map(Set.init), isDryRun: body.dryRun ?? false)
            let text = PruneDocument(report, isDryRun: body.dryRun ?? false).json.text
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        case .other(let client): return try await client.ask("storage/prune", body)
        }
    }

    func verify(_ token: AssetToken) async throws -> Verification {
        switch self {
        case .own(let server): try await server.store.repairer.verify(token)
        case .other(let client): try await client.verify(token)
        }
    }

    /// Makes an asset of a folder; returns also the files that could not be read.
    func importing(
        _ path: FilePath, name: String?, selection: Selection
    ) async throws -> (AssetToken, lost: [String]) {
        switch self {
        case .own(let server):
            let added = try await server.store.imports.add(path, name: name, selection: selection)
            return (added.token, added.lost)
        case .other(let client):
            return try await client.importing(path, name: name, selection: selection)
        }
    }

    /// Returns when the asset has come to rest, or the engine has stopped.
    ///
    /// - Parameter isEnough: whether to stop waiting for another process.
    func untilSettled(_ token: AssetToken, or isEnough: @Sendable () -> Bool) async throws {
        switch self {
        case .own(let server): await server.store.untilSettled(token)
        case .other:
            let reader = try reader()
            while let state = try reader.progress(of: token)?.state, !state.isTerminal, state != .paused {
                if isEnough() { return }
                guard reader.engine != nil else { throw StoreError(.stopped(.closing)) }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Returns when the hooks of our own engine have been told of everything, or would take too long.
    func untilHooksAreTold() async {
        guard case .own(let server) = self else { return }
        await server.store.untilHooksAreTold(within: .seconds(30))
    }

    /// Whether the server of another process does the work.
    var isOther: Bool {
        if case .other = self { true } else { false }
    }

    /// Why a download of our own engine ended, where the catalog could not take it.
    func unrecordedFailure(of token: AssetToken) async -> StoreError? {
        guard case .own(let server) = self else { return nil }
        return await server.store.unrecordedFailure(of: token)
    }

    /// The assets that other commands have handed over to our own engine, which it must not leave.
    var accepted: [AssetToken] {
        guard case .own(let server) = self else { return [] }
        return server.accepted.tokens
    }

    /// The figures of an asset that only its engine has; the engine of another process is asked for them.
    func figures(of asset: Asset) async -> LiveFigures {
        switch self {
        case .own(let server): await server.store.liveFigures(of: asset)
        case .other(let client): LiveFigures.of(asset, known: await client.figures()[asset.token])
        }
    }

    /// Runs `body`, then closes the session, whether it threw or not.
    func closing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await close()
        return try outcome.get()
    }

    func close() async {
        switch self {
        case .own(let server): await server.stop()
        case .other(let client): await client.close()
        }
    }
}
