internal import ArgumentParser

/// The options for the tracks of an asset that come into a file.
struct FileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Into a file: the variant stream (default: the first).", valueName: "id"))
    var video: String?

    @Option(
        name: .customLong("audio"),
        help: ArgumentHelp("Into a file: the languages of the sound (default: all).", valueName: "l,…|none"))
    var sound: String?

    @Option(
        name: .customLong("subtitles"),
        help: ArgumentHelp(
            "Into a file: the languages of the subtitles (default: all).", valueName: "l,…|none"))
    var captions: String?

    @Flag(help: "Into a file: skip the times that have no media.")
    var skipGaps = false

    @Flag(help: "Where codecs change: write a file for each stretch, FILE-1.mp4, FILE-2.mp4 and so on.")
    var parts = false

    @Flag(help: "Replace an existing file.")
    var force = false

    var options: FileExport.Options {
        FileExport.Options(
            video: video, audio: sound, subtitles: captions, skipsGaps: skipGaps, isInParts: parts,
            replaces: force)
    }
}
