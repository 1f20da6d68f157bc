internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import HLSPlaylist
internal import Logging
internal import SystemPackage

/// Options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "Folder of the store (default: $OFFLINE_SERVER_STORE, else offline-server in the user's data folder).",
            valueName: "dir"))
    var storeFolder: String?

    @Flag(help: "Print JSON: one document, or one per line with commands that follow something.")
    var json = false

    @Flag(help: "Say nothing but the result and errors.")
    var quiet = false

    @Flag(help: "Print each step of the work.")
    var verbose = false

    func validate() throws {
        if storeFolder?.isEmpty == true { throw ValidationError("--store wants the name of a folder.") }
    }

    /// The folder of the store.
    var root: FilePath {
        let environment = ProcessInfo.processInfo.environment
        let text =
            storeFolder ?? environment["OFFLINE_SERVER_STORE"].nonEmpty
            ?? Self.dataHome(environment).map { "\($0)/offline-server" }
            ?? "\(environment["HOME"].nonEmpty ?? "/root")/.local/share/offline-server"
        let path = FilePath(text)
        return path.isAbsolute ? path : FilePath(Self.currentFolder).pushing(path)
    }

    /// The user's data folder, if one is named. A relative path is ignored, as the XDG Base Directory Specification
    /// demands.
    private static func dataHome(_ environment: [String: String]) -> String? {
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    static var currentFolder: String { FileManager.default.currentDirectoryPath }

    /// The store, for looking only.
    ///
    /// - Throws: `noStore` when it was named and is not there: an empty one would be shown for a mistyped name.
    func reader() throws -> StoreReader {
        let reader = try StoreReader(root: root)
        let named = storeFolder ?? ProcessInfo.processInfo.environment["OFFLINE_SERVER_STORE"].nonEmpty
        guard named == nil || reader.paths.mayBeStore else { throw StoreError(.noStore(root.string)) }
        return reader
    }

    /// Prints a note on stderr, unless `--quiet`.
    func note(_ line: String) { if !quiet { Console.note(line) } }

    /// Prints retries on stderr, unless `--quiet`: all with `--verbose`, otherwise those before an asset exists.
    /// Later ones are in the asset's activity.
    var onRetry: @Sendable (RetryWait) -> Void {
        guard !quiet else { return { _ in } }
        if verbose { return { Console.note(RetryNotices.detail($0)) } }
        let notices = RetryNotices()
        return { if $0.asset == nil { notices.tell($0) } }
    }

    /// Calls `body`, which makes requests to an origin, and prints a note if it takes longer than a moment.
    func notingPatience<Value>(with url: String, _ body: () async throws -> Value) async throws -> Value {
        let notice = Task {
            try await Task.sleep(for: .seconds(RetryNotices.shortestWait))
            note("still reading the playlists and keys of \(URIReference(url).redacted)")
        }
        defer { notice.cancel() }
        return try await body()
    }

    /// A logger on stderr. Commands report their errors themselves, so the log is quiet by default.
    func log(_ level: Logger.Level = .critical) -> Logger {
        var log = Logger(label: "offline-server") { ConsoleLogHandler(label: $0) }
        log.logLevel = verbose ? .debug : level
        return log
    }

    /// Whether a word is a global option, such as `--json`.
    static func isOne(_ word: String) -> Bool {
        ["--json", "--quiet", "--verbose", "--store"].contains(word) || word.hasPrefix("--store=")
    }

    /// Puts these options behind the command's name, where the parser looks for them.
    static func moved(_ arguments: [String]) -> [String] {
        var rest = arguments[...]
        var moved: [String] = []
        while let first = rest.first, isOne(first) {
            let words = first == "--store" ? 2 : 1
            moved += rest.prefix(words)
            rest = rest.dropFirst(words)
        }
        guard let command = rest.first, !command.hasPrefix("-") else { return arguments }
        // `storage` is also a command by itself.
        let isPart = command == "storage" && ["show", "prune"].contains(rest.dropFirst().first)
        let words = RootCommand.groups.contains(command) || isPart ? 2 : 1
        return rest.prefix(words) + moved + rest.dropFirst(words)
    }
}

extension String? {
    /// The text, unless it is empty.
    var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
