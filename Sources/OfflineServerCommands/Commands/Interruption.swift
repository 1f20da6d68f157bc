internal import AssetStore
internal import Glibc
internal import HLSPlaylist
internal import Locking
internal import OfflineServer
internal import SystemPackage
internal import UnixSignals

/// Ends the process when the user stops a command (SIGINT, SIGTERM), with a sentence about how things stand.
struct Interruption: Sendable {
    private let failure: Lock<@Sendable () -> CommandFailure>
    private let task: Task<Void, Never>

    /// Begins to handle signals.
    ///
    /// - Parameters:
    ///   - failure: the failure to report, until `tell` gives another.
    ///   - asJSON: whether to report it as JSON.
    init(_ failure: CommandFailure, asJSON: Bool) async {
        let failure = Lock<@Sendable () -> CommandFailure> { failure }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        self.failure = failure
        task = Task {
            for await _ in signals {
                let failure = failure.withLock(\.self)()
                failure.tell(asJSON: asJSON)
                // The same status as after the signal's default action.
                _exit(failure.status)
            }
        }
    }

    /// Things stand otherwise from now on: as `failure` says when the user stops the command.
    func tell(_ failure: @escaping @Sendable () -> CommandFailure) { self.failure.withLock { $0 = failure } }

    /// Leaves signals to others.
    func end() { task.cancel() }
}

extension CommandFailure {
    /// The failure for a signal while a file is being written beside its target.
    static func interrupted(_ export: FileExport) -> CommandFailure {
        let name = FileDownload.shortened(export.target.lastComponent?.string ?? "")
        return CommandFailure(
            message:
                "stopped; \(export.again): it continues after the bytes that are written; to give it up, delete .\(name).*.part in the same folder",
            status: interrupted)
    }
}

extension CommandFailure {
    /// The failure for a signal while a folder is being written.
    static func interrupted(exportTo folder: FilePath) -> CommandFailure {
        let part = AssetExporter.partFolder(for: folder)
        return CommandFailure(
            message:
                "stopped; there is no \(folder) yet; run the command again: it begins anew, and deletes \(part)",
            status: interrupted)
    }
}

extension EngineSession {
    /// The failure for a signal while a folder is being imported.
    func interrupted(importing path: String) -> CommandFailure {
        let message =
            isOther
            ? "the server at \(url) goes on with it; `offline-server list` shows it"
            : "stopped; nothing of \(path) was imported; run the command again"
        return CommandFailure(message: message, status: CommandFailure.interrupted)
    }

    /// The failure for a signal while a stream is being read.
    func interrupted(reading url: String) -> CommandFailure {
        let url = URIReference(url).redacted
        let message =
            "stopped while \(url) was being read; nothing of it is stored; run the command again to download it"
        return CommandFailure(message: message, status: CommandFailure.interrupted)
    }

    /// The failure for a signal before an asset is complete.
    ///
    /// - Parameter output: the file that the download was to end in.
    func interrupted(_ token: AssetToken, into output: OutputOptions? = nil) -> CommandFailure {
        guard !isOther else {
            let isRecording = (try? reader().progress(of: token))??.recording?.isOpen == true
            let next =
                if let file = output?.output {
                    "with the download, but writes no file: `offline-server export \(token) \(file)` does, once it is complete"
                } else if isRecording {
                    "recording; `offline-server pause \(token)` ends that"
                } else { "with it; `offline-server status \(token) --follow` shows it" }
            return CommandFailure(
                message: "the server at \(url) goes on \(next)", status: CommandFailure.interrupted)
        }
        // The store may be closed by now, which others can open.
        let asset =
            (try? reader().progress(of: token))
            ?? (try? StoreReader(root: reader().paths.root).progress(of: token))
            ?? nil
        let stored = asset.map { $0.storedBytes > 0 ? HumanUnits.percent($0.progress) : nil } ?? nil
        let what = stored.map { "stopped; what is stored (\($0)) is kept and plays" }
        return CommandFailure(
            message:
                "\(what ?? "stopped before any media were stored"); `offline-server download \(token)\(output?.text ?? "")` goes on",
            status: CommandFailure.interrupted)
    }
}
