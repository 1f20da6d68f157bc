internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import Locking
internal import OfflineServer
internal import SystemPackage

/// `migrate`: moves a whole store between one machine's folder and a store that several machines share.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract:
            "Move the store into one that several machines share, or back into a folder (--back).",
        discussion: """
            The catalog's database and the bucket have to be empty, or with --back the folder. No engine and no node may run \
            meanwhile. When it was interrupted, run the same command again: it continues. The new store can be served when \
            all of it is there. The old one stays as it is, and is served no more.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database of the shared store, postgresql://USER@HOST/DATABASE (default: $OFFLINE_SERVER_CATALOG, or as config.json says).",
            valueName: "url"))
    var catalog: String?

    @OptionGroup var bucket: BucketOptions

    @Flag(help: "Move the shared store into the folder that --store names, with its store.key in it.")
    var back = false

    func validate() throws {
        guard let catalog, let fault = PostgresAddress.fault(of: catalog) else { return }
        throw ValidationError("--catalog: \(fault).")
    }

    func run() async throws {
        let settings = try EngineSettings.read(StorePaths(root: global.root).settings)
        guard let address = try NodeOptions.address(catalog, settings) else {
            throw CommandFailure(
                message: "migrate wants the database of the shared store; name it with --catalog",
                status: CommandFailure.usage)
        }
        let display = MigrationDisplay(global)
        let migration = StoreMigration(
            global.root, address, try media(settings),
            settle: { paths, catalog throws(StoreError) in try NodeSecrets(paths, catalog).settle() },
            tell: { if !display.isQuiet { Console.note($0) } }, step: display.show)
        let report: StoreMigration.Report
        do throws(StoreError) {
            report = back ? try await migration.takeBack() : try await migration.share()
        } catch {
            display.clear()
            throw error
        }
        display.clear()
        show(report, address)
    }

    private func media(_ settings: EngineSettings) throws -> BucketMedia.Settings {
        if let named = try bucket.settings() { return named }
        guard let named = settings.media else {
            throw CommandFailure(
                message:
                    "migrate wants the bucket of the shared store; name it with --media and --s3-endpoint",
                status: CommandFailure.usage)
        }
        return try BucketMedia.Settings(named, environment: ProcessInfo.processInfo.environment)
    }

    // MARK: The result

    private func show(_ report: StoreMigration.Report, _ address: PostgresAddress) {
        let place = back ? global.root.string : address.shown
        guard !global.json else { return Console.result(document(report, place).text) }
        guard !report.wasDone else {
            return Console.result("the store was moved to \(place) before; nothing was left to do")
        }
        for file in report.absent.prefix(20) {
            Console.result(
                "\(file.token)/\(file.name): \(file.row.finding == .gone ? "missing" : "damaged")")
        }
        let earlier = report.earlier > 0 ? ", \(report.earlier) by an earlier run" : ""
        Console.result(
            "moved to \(place): \(report.assets) assets, \(report.files) files (\(HumanUnits.bytes(Int64(clamping: report.bytes))))\(earlier), \(report.rows) rows"
        )
        for line in advice(report) { global.note(line) }
    }

    private func advice(_ report: StoreMigration.Report) -> [String] {
        var lines: [String] = []
        if !report.absent.isEmpty {
            let count = report.absent.count == 1 ? "1 file was" : "\(report.absent.count) files were"
            lines.append(
                "\(count) missing or damaged; `offline-server repair TOKEN` in the new store fetches them again"
            )
        }
        guard !back else {
            return lines + [
                "serve it with `offline-server --store \(global.root) serve`; delete the database and the bucket when you no longer want them"
            ]
        }
        return lines + [
            "give each machine \(KeyVault.path(StorePaths(root: global.root).storeKey)) and config.json, and a folder of its own (--store), and serve with the same --catalog and --media; delete \(global.root) when you no longer want it"
        ]
    }

    private func document(_ report: StoreMigration.Report, _ place: String) -> JSONValue {
        [
            "place": .string(place), "back": .bool(back), "was_done": .bool(report.wasDone),
            "assets": .integer(Int64(report.assets)), "files": .integer(Int64(report.files)),
            "bytes": .integer(Int64(clamping: report.bytes)),
            "earlier_files": .integer(Int64(report.earlier)),
            "rows": .integer(Int64(report.rows)),
            "absent": .array(
                report.absent.map {
                    [
                        "token": .string($0.token.description), "name": .string($0.name),
                        "fault": .string($0.row.finding == .gone ? "missing" : "damaged"),
                    ]
                }),
        ]
    }
}

/// The line at the bottom of the terminal while a store is moved.
private final class MigrationDisplay: Sendable {
    let isQuiet: Bool
    private let isLive: Bool
    private let last = Lock(MonotonicTime?.none)

    init(_ global: GlobalOptions) {
        isQuiet = global.quiet
        isLive = Console.hasTerminal && !global.quiet && !global.json
    }

    func show(_ step: StoreMigration.Step) {
        guard isLive else { return }
        let isDue = last.withLock { last in
            guard last.map({ $0 + .milliseconds(100) < .now }) ?? true else { return false }
            last = .now
            return true
        }
        if isDue { Console.draw(Self.line(step)) }
    }

    private static func line(_ step: StoreMigration.Step) -> String {
        switch step {
        case .media(let done, let total):
            "media: \(HumanUnits.bytes(done)) of \(HumanUnits.bytes(total))"
        case .rows(let count): "catalog: \(count) rows"
        }
    }

    func clear() { if isLive { Console.clear() } }
}
