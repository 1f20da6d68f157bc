internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SubtitleRaster

/// `doctor`: checks the installation and the store.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the installation and the store, and advise.",
        discussion: """
            For a store that several machines share, it also checks the database and its settings, the clocks, this machine's \
            store key, the nodes and the bucket. Options that are left out are as the environment, config.json or the folder \
            of the store has them.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Demand a store that several machines share: fail if no database is named.")
    var cluster = false

    @Option(
        help: ArgumentHelp(
            "The database of a shared store, postgresql://USER@HOST/DATABASE.", valueName: "url"))
    var catalog: String?

    @OptionGroup var bucketOptions: BucketOptions

    func validate() throws {
        guard let catalog, let fault = PostgresAddress.fault(of: catalog) else { return }
        throw ValidationError("--catalog: \(fault).")
    }

    func run() async throws {
        var findings = StoreCheckup.run(global.root)
        if let shared = try await shared() {
            findings += shared
        } else if let bucket = await bucket() {
            findings.append(bucket)
        }
        findings += publicKey()
        findings += Self.players() + [Self.pictures()]
        if global.json {
            let items: [JSONValue] = findings.map {
                ["check": .string($0.check), "ok": .bool($0.isFine), "detail": .string($0.detail)]
            }
            Console.result(JSONValue.array(items).text)
        } else {
            for finding in findings {
                Console.result("\(finding.isFine ? "ok     " : "wrong  ")\(finding.check): \(finding.detail)")
            }
        }
        if !findings.allSatisfy(\.isFine) { throw CommandFailure(message: nil) }
    }

    /// The findings about a shared store; `nil` for a store of one machine.
    private func shared() async throws -> [StoreCheckup.Finding]? {
        let (paths, media) = (StorePaths(root: global.root), try bucketOptions.settings())
        // Another check reports faults of these files.
        let settings = (try? EngineSettings.read(paths.settings)) ?? EngineSettings()
        let known = (try? NodeFolder(paths).address()) ?? nil
        guard let address = try NodeOptions.address(catalog, settings) ?? known else {
            return cluster ? [StoreCheckup.noShared] : nil
        }
        var findings = await StoreCheckup.shared(
            global.root, address, media: media,
            print: { () throws(StoreError) in try NodeSecrets.fingerprint(paths) },
            reach: { await Self.reach($0, token: APIToken.existing(paths.apiToken)) })
        // What was named to the server on its command line alone is known to the server.
        guard media == nil, settings.media == nil,
            let place = findings.firstIndex(where: { $0.check == StoreCheckup.bucketCheck }),
            let client = (try? await EngineClient.find(global.root)) ?? nil
        else { return findings }
        findings[place] = await Self.bucket(of: client) ?? findings[place]
        return findings
    }

    /// Says whether each node answers at its URL. `nil` if there is no node, or if this machine never was one.
    private static func reach(_ nodes: [NodeRecord], token: String?) async -> StoreCheckup.Finding? {
        guard let token, !nodes.isEmpty, let probe = try? NodeProbe(token: token) else { return nil }
        var faults: [String] = []
        for node in nodes {
            if let fault = NodeProbe.fault(await probe.reach(of: node), of: node) { faults.append(fault) }
        }
        await probe.stop()
        return StoreCheckup.Finding(
            check: "node URLs", isFine: faults.isEmpty,
            detail: faults.isEmpty
                ? "this machine reaches each node at its URL" : faults.joined(separator: "; "))
    }

    /// The finding about the bucket of the media. A server that runs on the store is asked, since it uses the bucket.
    private func bucket() async -> StoreCheckup.Finding? {
        guard let client = (try? await EngineClient.find(global.root)) ?? nil else {
            return await StoreCheckup.bucket(global.root)
        }
        return await Self.bucket(of: client)
    }

    private static func bucket(of client: EngineClient) async -> StoreCheckup.Finding? {
        let finding = try? await client.finding(of: StoreCheckup.bucketCheck)
        await client.close()
        return finding
    }

    /// The finding about the public key, only if the store exists: a check makes no store.
    private func publicKey() -> [StoreCheckup.Finding] {
        guard findsStore, let key = try? global.reader().publicKey() else { return [] }
        return [.init(check: "public key", isFine: true, detail: key.description)]
    }

    private var findsStore: Bool { StorePaths(root: global.root).hasKey }

    private static func players() -> [StoreCheckup.Finding] {
        let found = ["mpv", "vlc", "ffplay"].filter { Play.find($0) != nil }
        let detail =
            found.isEmpty ? "none found; `play` needs mpv, vlc or ffplay" : found.joined(separator: ", ")
        return [.init(check: "players", isFine: true, detail: detail)]
    }
    private static func pictures() -> StoreCheckup.Finding {
        let detail: String
        do throws(RasterError) {
            _ = try SubtitleRasterizer()
            detail = "Pango and Cairo paint them"
        } catch {
            detail = error.description
        }
        return .init(check: "pictures of subtitles", isFine: true, detail: detail)
    }
}
