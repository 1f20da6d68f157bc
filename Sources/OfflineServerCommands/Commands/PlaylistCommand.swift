internal import APIDocuments
internal import ArgumentParser
internal import HLSPlaylist
internal import OfflineServer

/// `playlist`: tools for playlist files.
struct PlaylistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlist", abstract: "Read playlist files.", subcommands: [Parse.self])

    /// `playlist parse`: reads any m3u8.
    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse",
            abstract: "Read a playlist and print it as JSON or, byte for byte, as it is.")

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case json, m3u8
        }

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("A playlist file; - for standard input.", valueName: "file"))
        var file: String

        @Option(help: "What to print.")
        var format = Format.json

        func run() throws {
            let bytes = try InputFile.bytes(file)
            do throws(PlaylistError) {
                let playlist = try Playlist(parsing: bytes)
                switch format {
                case .json: Console.result(PlaylistReport(playlist).json)
                case .m3u8: Console.result(bytes: playlist.serialized)
                }
            } catch {
                throw CommandFailure(message: "\(file): \(error.description)")
            }
        }
    }
}
