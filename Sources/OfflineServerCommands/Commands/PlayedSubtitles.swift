internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SidebandSubtitles

/// The subtitles that a player is to show beside the stream, in the way that it understands.
///
/// mpv and VLC get our URL of the track as ASS, which says where text stands. ffplay burns a file in.
struct PlayedSubtitles {
    private let track: AssetSubtitles
    private let language: String
    private let address: String
    private let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("offline-server-\(UUID().uuidString).ass")

    init(_ language: String, of token: AssetToken, server: String, _ reader: StoreReader) throws {
        guard let track = try reader.captions.subtitles(token, language) else {
            let tracks = try reader.captions.subtitleRenditions(token) ?? []
            throw CommandFailure(message: SubtitleListDocument.noTrack(language, among: tracks))
        }
        self.track = track
        self.language = language
        let resource = AssetResource.subtitles(track.rendition.name, .ass)
        address = "\(server)/assets/\(token)/\(resource.relativePath)"
    }

    /// Whether the track is complete.
    var isComplete: Bool { track.isComplete }

    /// The arguments that the player is started with.
    func arguments(for player: String, playlist: String) throws -> [String] {
        let name = player.lowercased()
        if name.contains("mpv") || name.contains("vlc") { return [playlist, "--sub-file=\(address)"] }
        guard name.contains("ffplay") else { return ["\(playlist)?subtitles=\(language)"] }
        try Data(SubtitleFormat.ass.bytes(of: onMediaClock, picture: track.picture)).write(to: file)
        return [playlist, "-vf", "subtitles=filename=\(file.path)"]
    }

    /// FFmpeg's filters use the media's time stamps, not the times of the presentation.
    private var onMediaClock: SubtitleTrack {
        let offset = (track.firstTicks ?? 0) / 90
        var shifted = track.track
        for index in shifted.cues.indices { shifted.cues[index].move(by: offset) }
        return shifted
    }

    /// Removes the file that was made for a player.
    func removeFile() { try? FileManager.default.removeItem(at: file) }
}

/// All subtitles of an asset as sideband files, for mpv: its FFmpeg ignores the subtitles that the playlist lists.
struct OfferedSubtitles {
    private let tracks: [SubtitleRendition]
    private let folder: String

    /// - Returns: `nil` without subtitles, or for another player.
    init?(of token: AssetToken, for player: String, server: String, _ reader: StoreReader) throws {
        guard player.lowercased().contains("mpv"), let tracks = try reader.captions.subtitleRenditions(token),
            !tracks.isEmpty
        else { return nil }
        self.tracks = tracks.filter(\.isDefault) + tracks.filter { !$0.isDefault }
        folder = "\(server)/assets/\(token)"
    }

    /// Whether all tracks are complete.
    var isComplete: Bool { tracks.allSatisfy(\.isComplete) }

    /// Arguments for the player. By default it would show the first track, even if the stream's default is no
    /// subtitles.
    var arguments: [String] {
        let files = tracks.map { track in
            "--sub-file=\(folder)/\(AssetResource.subtitles(track.name, .ass).relativePath)"
        }
        return files + (tracks.contains(where: \.isDefault) ? [] : ["--sid=no"])
    }
}
