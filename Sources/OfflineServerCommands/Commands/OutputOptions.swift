internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SystemPackage

/// The file that a download ends in.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Also write the download into one file: .mp4, .m4a, .ts or .mkv.", valueName: "file"))
    var output: String?

    @Flag(help: "With --output: keep only that file, unless subtitles or other tracks are missing in it.")
    var forget = false

    /// The options as a command has them, after a space; empty without a file.
    var text: String { output.map { " -o \($0)\(forget ? " --forget" : "")" } ?? "" }

    /// Checks that at most one stream is to be written into the file.
    func check(streams: Int) throws {
        guard output != nil, streams > 1 else { return }
        throw ValidationError("--output takes one stream; without it, `export` writes each into a file.")
    }

    /// - Parameter isDetached: whether the command ends before the download does.
    func check(isDetached: Bool) throws {
        guard let output else {
            if forget {
                throw ValidationError("--forget is for --output: without a file nothing would be left.")
            }
            return
        }
        guard FileExport.source(for: FilePath(output)) != nil else {
            throw ValidationError("--output wants a name that ends in .mp4, .m4a, .ts or .mkv.")
        }
        if isDetached {
            throw ValidationError(
                "--output needs a command that waits for the download: leave out --detach and --dry-run.")
        }
        let place = FilePath(output)
        if FileSystem.isThere(place) {
            throw ValidationError("There is a file \(output) already; give another name.")
        }
        do { try FileExport.checkFolder(of: place) } catch let failure as CommandFailure {
            throw ValidationError(failure.message ?? "")
        }
    }

    /// Refuses a file that needs a program which is not installed.
    func checkProgram() throws {
        guard let output, FilePath(output).extension?.lowercased() == "mkv" else { return }
        try MatroskaExport.checkProgram()
    }

    /// Refuses a file that can't hold the asset, as far as its playlists tell: then nothing need be downloaded.
    func check(_ renditions: [AssetRendition]) throws {
        guard let output, FilePath(output).extension?.lowercased() == "ts" else { return }
        let codecs = SoundCodecs.list(renditions.first { $0.kind == .variant }?.codecs)
        guard let codec = codecs.first(where: { Self.strangers.contains(SoundCodecs.name($0)) }) else {
            return
        }
        throw CommandFailure(
            message:
                "\(output) can't hold this stream: a transport stream has no place for its codec \(codec); choose a name that ends in .mp4",
            status: CommandFailure.usage)
    }

    /// Removes the asset, if the file has all of it.
    private func forget(
        _ token: AssetToken, in session: EngineSession, after export: FileExport,
        _ written: FileExport.Written
    ) async throws {
        let strangers = try export.subtitlesWithoutPlace()
        guard !written.incomplete.isEmpty || !strangers.isEmpty else {
            _ = try await session.perform(.remove, on: [token], purge: true)
            return
        }
        let reason =
            strangers.isEmpty
            ? "the file is not complete"
            : ".ts files have no place for subtitles (\(strangers.joined(separator: ", ")))"
        export.global.note(
            "the download stays in the store, because \(reason); `offline-server remove \(token)` deletes it")
    }

    /// Codecs that have no place in a transport stream, by the first part of their names.
    private static let strangers: Set<String> = ["opus", "flac", "alac", "av01", "dav1", "vp08", "vp09"]

    /// Writes the file, once everything is downloaded.
    ///
    /// - Returns: whether one was wanted.
    func write(
        _ tokens: [AssetToken], in session: EngineSession, _ global: GlobalOptions
    ) async throws -> Bool {
        guard let output, let token = tokens.first else { return false }
        let place = FilePath(output)
        let target = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        ProcessResources.shareFiles()
        // The same command would download the stream once more.
        let export = FileExport(
            session: session, global: global, token: token, target: target,
            again: "run `offline-server export \(token) \(target)`")
        let interruption = await Interruption(.interrupted(export), asJSON: global.json)
        defer { interruption.end() }
        let written: FileExport.Written
        do { written = try await export.run() } catch {
            guard var failure = CommandFailure(error), let message = failure.message else { throw error }
            failure.message =
                "\(message.hasSuffix(".") ? message : "\(message).") The download is stored: `offline-server export \(token) FILE` writes the file."
            throw failure
        }
        if forget { try await forget(token, in: session, after: export, written) }
        Console.result(global.json ? written.json.text : target.string)
        return true
    }
}
