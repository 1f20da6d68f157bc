internal import ArgumentParser
internal import Foundation
internal import HLSPlaylist
internal import SystemPackage

/// `playlist`: tools for playlist files.
struct PlaylistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlist", abstract: "Read playlist files.", subcommands: [Parse.self])

    /// `playlist parse`: reads any m3u8.
    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
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
            let bytes = try bytes()
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

        private func bytes() throws -> [UInt8] {
            do {
                guard file != "-" else { return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) }
                let opened = try FileDescriptor.open(FilePath(file), .readOnly)
                let handle = FileHandle(fileDescriptor: opened.rawValue, closeOnDealloc: true)
                return [UInt8](try handle.readToEnd() ?? Data())
            } catch let error as Errno {
                throw CommandFailure(message: "could not read \(file): \(error.description)")
            } catch {
                throw CommandFailure(message: "could not read \(file): it is no file that can be read")
            }
        }
    }
}
