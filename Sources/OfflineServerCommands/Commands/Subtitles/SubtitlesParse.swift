internal import APIDocuments
internal import ArgumentParser
internal import OfflineServer
internal import SidebandSubtitles

/// `subtitles parse`: reads a subtitle file.
struct SubtitlesParse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Read a WebVTT file and print it as JSON or in another format.",
        discussion: "A file that is no WebVTT is refused with exit status 1.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("A subtitle file; - for standard input.", valueName: "file"))
    var file: String

    @Option(help: "Format: vtt, srt, ass, json or text.")
    var format = SubtitleFormat.json

    @Flag(help: "With JSON: the tree of each cue's text, too.")
    var tree = false

    @Flag(help: "Read SubRip, ASS and TTML, too; the file's content tells which it is.")
    var anyFormat = false

    func run() throws {
        let limits = WebVTTLimits()
        let bytes = try InputFile.bytes(file, limit: limits.bytes)
        do throws(WebVTTError) {
            if anyFormat {
                let track = try SubtitleFile(reading: bytes, limits: limits).track
                return SubtitleOutput.print(track, as: format, withTrees: tree)
            }
            let read = try WebVTTFile(parsing: bytes, limits: limits)
            SubtitleOutput.note(read.warnings, of: file, count: read.warningCount, global)
            SubtitleOutput.print(read.track, as: format, withTrees: tree)
        } catch {
            throw CommandFailure(message: "\(file): \(error.description)")
        }
    }
}
