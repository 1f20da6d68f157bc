internal import APIDocuments
public import ArgumentParser
internal import OfflineServer
public import SidebandSubtitles

/// `subtitles`: the subtitle tracks of assets, and tools for subtitle files.
struct SubtitlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subtitles", abstract: "Show and convert subtitles, of assets and of local files.",
        subcommands: [
            SubtitlesList.self, SubtitlesGet.self, SubtitlesRender.self, SubtitlesParse.self,
            SubtitlesMerge.self,
        ])
}

extension SubtitleFormat: ExpressibleByArgument {}

/// Prints tracks.
enum SubtitleOutput {
    /// The most warnings that are shown; then their number is.
    private static let shownWarnings = 20

    /// Prints a track in a format.
    static func print(
        _ track: SubtitleTrack, as format: SubtitleFormat, withTrees: Bool = false,
        picture: PictureSize = .init()
    ) {
        guard format == .json else {
            return format.write(track, picture: picture) { Console.result(bytes: $0) }
        }
        JSONWriter(includesTrees: withTrees).write(track) { Console.result(bytes: $0) }
    }

    /// Reports the faults in a file.
    static func note(
        _ warnings: some Collection<some CustomStringConvertible>, of file: String, count: Int? = nil,
        _ global: GlobalOptions
    ) {
        for warning in warnings.prefix(shownWarnings) { global.note("\(file): \(warning.description)") }
        let more = (count ?? warnings.count) - shownWarnings
        if more > 0 { global.note("\(file): and \(more) more") }
    }
}
