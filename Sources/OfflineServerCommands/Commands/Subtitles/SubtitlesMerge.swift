internal import APIDocuments
internal import ArgumentParser
internal import Foundation
internal import HLSPlaylist
internal import OfflineServer
internal import SidebandSubtitles

/// `subtitles merge`: makes one track of a local subtitle playlist.
struct SubtitlesMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the segments of a local subtitle playlist to one track.",
        discussion: """
            Segments may be WebVTT, or WebVTT and TTML in fragmented MP4. Without --init-pts the first \
            segment of each discontinuity is taken to start with the media.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp("A media playlist; its segments lie beside or below it.", valueName: "playlist"))
    var playlist: String

    @Option(help: "Format: vtt, srt, ass, json or text.")
    var format = SubtitleFormat.json

    @Flag(help: "With JSON: the tree of each cue's text, too.")
    var tree = false

    @Option(
        name: .customLong("init-pts"),
        help: ArgumentHelp(
            "The first timestamp of the media of each discontinuity, in ticks of 90 kHz.",
            valueName: "p1,p2,…"))
    var firstTicks: String?

    func run() throws {
        let source = try mediaPlaylist()
        var merger = SegmentMerger(clocks: try clocks(from: source))
        do throws(WebVTTError) {
            var start = 0.0
            for segment in source.segments {
                let place = SegmentPlace(
                    start: start, duration: segment.duration, discontinuity: segment.discontinuitySequence)
                let bytes = segment.isGap ? nil : content(segment.uri, segment.byteRange)
                let section = segment.initializationSection.map { source.initializationSections[$0] }
                try merger.add(
                    bytes, at: place, initialization: section.flatMap { content($0.uri, $0.byteRange) })
                start += segment.duration
            }
        } catch {
            throw CommandFailure(message: "\(playlist): \(error.description)")
        }
        let merged = merger.merged()
        guard merged.segments > 0 else {
            throw CommandFailure(message: "\(playlist): none of its segments can be read")
        }
        SubtitleOutput.note(merged.problems, of: playlist, global)
        SubtitleOutput.print(merged.track, as: format, withTrees: tree)
    }

    private func mediaPlaylist() throws -> MediaPlaylist {
        let bytes = try InputFile.bytes(playlist)
        let parsed: Playlist
        do throws(PlaylistError) {
            parsed = try Playlist(parsing: bytes)
        } catch {
            throw CommandFailure(message: "\(playlist): \(error.description)")
        }
        guard case .media(let media) = parsed else {
            throw CommandFailure(
                message: "\(playlist) lists renditions, not segments; name the playlist of one")
        }
        guard !media.segments.contains(where: { $0.keys.contains { $0.method != .none } }) else {
            throw CommandFailure(
                message: "\(playlist) is encrypted; `offline-server import` its folder, then `subtitles get`")
        }
        return media
    }

    /// The first timestamps as given, one a discontinuity in order.
    private func clocks(from source: MediaPlaylist) throws -> [Int: MediaClock] {
        let given = (firstTicks ?? "").split(separator: ",").map { Int($0.drop { $0 == " " }) }
        guard !given.contains(nil) else {
            throw ValidationError("--init-pts wants whole numbers with commas between them.")
        }
        let first = source.segments.first?.discontinuitySequence ?? 0
        let clocks = given.enumerated().map { (first + $0.offset, MediaClock(firstTicks: $0.element)) }
        return Dictionary(uniqueKeysWithValues: clocks)
    }

    /// The bytes of a segment; `nil` if they can't be read.
    private func content(_ uri: String, _ range: ByteRange?) -> [UInt8]? {
        let reference = URIReference(uri)
        guard reference.scheme == nil, reference.authority == nil,
            let path = reference.path.removingPercentEncoding
        else {
            global.note("\(playlist): \(reference.redacted) is not a local file")
            return nil
        }
        let folder = URL(fileURLWithPath: playlist).deletingLastPathComponent()
        let file = URL(fileURLWithPath: path, relativeTo: folder).path
        guard let bytes = try? InputFile.bytes(file, limit: WebVTTLimits().bytes) else {
            global.note("\(playlist): could not read \(reference.redacted)")
            return nil
        }
        guard let range else { return bytes }
        return Array(bytes.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length)))
    }
}
