internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SidebandSubtitles

/// `subtitles get`: a whole subtitle track of an asset.
struct SubtitlesGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a whole subtitle track of an asset.",
        discussion: "`en` finds `en-GB` where there is no closer one. Times are those of the presentation.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("A language, or the name of a track.", valueName: "lang"))
    var language: String

    @Option(help: "Format: vtt, srt, ass, json or text (default: vtt; with --json: json).")
    var format: SubtitleFormat?

    func run() async throws {
        let found = try await global.subtitles(of: token, language)
        SubtitleOutput.note(found.problems, of: found.rendition.name, global)
        SubtitleOutput.print(
            found.track, as: format ?? (global.json ? .json : .vtt), picture: found.picture)
    }
}
