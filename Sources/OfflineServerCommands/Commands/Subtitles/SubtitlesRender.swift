internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SidebandSubtitles
internal import SubtitleRaster
internal import SystemPackage

/// `subtitles render`: renders the subtitles of one moment as a picture, boxes or text.
struct SubtitlesRender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Paint the subtitles of a moment, as a transparent picture.",
        discussion: """
            Positions and styles follow the WebVTT standard. Without --output the picture goes to standard output; \
            on a terminal, its text is shown instead. To burn the picture into a frame of the video:
              offline-server subtitles render FILE --at 12 --size 1280x720 -o f.png
              ffmpeg -ss 12 -i VIDEO -i f.png -filter_complex '[0]scale=1280:720[v];[v][1]overlay' -frames:v 1 out.png
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case png, json, html, ansi
    }

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("A subtitle file, or an asset.", valueName: "file|token"))
    var source: String

    @Argument(help: ArgumentHelp("Of an asset: a language, or the name of a track.", valueName: "lang"))
    var language: String?

    @Option(help: ArgumentHelp("The moment: seconds, or hours:minutes:seconds.", valueName: "t"))
    var at: String

    @Option(
        help: ArgumentHelp("The picture's size, by default that of the video, or 1280x720.", valueName: "wxh")
    )
    var size: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file for the result; - is standard output.", valueName: "file"))
    var output: String?

    @Option(
        help:
            "png, json (boxes), html (boxes) or ansi (text for a terminal); by default, the format of the name of --output."
    )
    var format: Format?

    func run() async throws {
        guard let moment = PlaybackTime(at) else {
            throw ValidationError("--at wants seconds, or hours:minutes:seconds.")
        }
        let (track, picture) = try await loaded()
        guard
            let frame = size.map({ FrameSize($0) }) ?? FrameSize(width: picture.width, height: picture.height)
        else {
            throw ValidationError("--size wants WIDTHxHEIGHT, each within 16 and 8192.")
        }
        let format = try chosenFormat()
        let bytes = try rendered(track, frame, time: moment.time, as: format)
        guard let output, output != "-" else { return Console.result(bytes: bytes) }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandFailure(message: "could not write \(output)")
        }
        guard global.json else { return }
        let report: JSONValue = [
            "output": .string(output), "format": .string(format.rawValue), "bytes": JSONValue(bytes.count),
            "width": JSONValue(frame.width), "height": JSONValue(frame.height),
        ]
        Console.result(report.text)
    }

    /// The track, and the size of the video it belongs to.
    private func loaded() async throws -> (ShownTrack, PictureSize) {
        guard let language else { return (try localTrack(), PictureSize()) }
        let found = try await global.subtitles(of: source, language)
        return (ShownTrack(found.track, language: found.rendition.language ?? ""), found.picture)
    }

    private func localTrack() throws -> ShownTrack {
        let limits = WebVTTLimits()
        let bytes = try InputFile.bytes(source, limit: limits.bytes)
        do throws(WebVTTError) {
            return ShownTrack(try SubtitleFile(reading: bytes, limits: limits).track)
        } catch {
            throw CommandFailure(message: "\(source): \(error.description)")
        }
    }

    private func rendered(
        _ track: ShownTrack, _ size: FrameSize, time: CueTime, as chosen: Format
    ) throws -> [UInt8] {
        if chosen == .ansi {
            let usesColor =
                Console.hasResultTerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
            return TerminalFrame(columns: Console.width, usesColor: usesColor).bytes(of: [track], at: time)
        }
        do throws(RasterError) {
            let rasterizer = try SubtitleRasterizer()
            switch chosen {
            case .json: return FrameJSON.bytes(of: rasterizer.layout([track], size: size, at: time))
            case .html: return FrameHTML.bytes(of: rasterizer.layout([track], size: size, at: time))
            case .png, .ansi: return try rasterizer.picture([track], size: size, at: time).png
            }
        } catch {
            throw CommandFailure(message: error.description)
        }
    }

    private func chosenFormat() throws -> Format {
        if let format { return format }
        guard let output, output != "-" else {
            return global.json ? .json : Console.hasResultTerminal ? .ansi : .png
        }
        let suffix = URL(fileURLWithPath: output).pathExtension.lowercased()
        guard let named = ["htm": Format.html, "txt": .ansi][suffix] ?? Format(rawValue: suffix) else {
            throw ValidationError(
                "--output must end in .png, .json, .html or .txt, or --format must name the format.")
        }
        return named
    }
}
