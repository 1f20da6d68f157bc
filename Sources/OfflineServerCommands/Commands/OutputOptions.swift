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

    @Flag(help: "With --output: keep nothing but that file.")
    var forget = false

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
        if FileSystem.isThere(place) { throw ValidationError("\(output) is there already.") }
    }

    /// Writes the file, once everything is downloaded.
    ///
    /// - Returns: whether one was wanted.
    func write(
        _ tokens: [AssetToken], in session: EngineSession, _ global: GlobalOptions
    ) async throws -> Bool {
        guard let output, let token = tokens.first else { return false }
        guard tokens.count == 1 else {
            throw CommandFailure(
                message: "--output takes one stream; `offline-server export TOKEN FILE` writes the others")
        }
        let place = FilePath(output)
        let target = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        ProcessResources.shareFiles()
        try await FileExport(session: session, global: global, token: token, target: target).run()
        if forget { _ = try await session.perform(.remove, on: [token], purge: true) }
        if !global.json { Console.result(target.string) }
        return true
    }
}
