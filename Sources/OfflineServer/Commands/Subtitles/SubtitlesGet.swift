internal import ArgumentParser
internal import AssetStore
internal import SidebandSubtitles

/// `subtitles get`: a whole subtitle track of an asset.
struct SubtitlesGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a subtitle track of an asset, made whole.",
        discussion: "`en` finds `en-GB` where there is no closer one. Times are those of the presentation.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("A language, or the name of a track.", valueName: "lang"))
    var language: String

    @Option(help: "What to print: vtt, srt, ass, json or text.")
    var format = SubtitleFormat.vtt

    func run() throws {
        let reader = try global.reader()
        let token = try TokenArgument.parse(token)
        let license = try reader.requireAsset(token).license.state
        guard license != .expired, license != .revoked else {
            throw CommandFailure(
                message:
                    "the license is \(license.rawValue); `offline-server license renew \(token)` renews it")
        }
        let tracks = try reader.subtitleRenditions(token) ?? []
        guard let found = try reader.subtitles(token, language) else {
            throw CommandFailure(message: SubtitleListDocument.noTrack(language, among: tracks))
        }
        SubtitleOutput.note(found.problems, of: found.rendition.name, global)
        if !found.isComplete {
            global.note("not all of \(found.rendition.name) is stored; this is what there is")
        }
        SubtitleOutput.print(found.track, as: format, picture: found.picture)
    }
}
