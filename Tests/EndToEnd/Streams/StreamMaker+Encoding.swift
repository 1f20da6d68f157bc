import Foundation
import TestSupport

extension StreamMaker {
    /// A four-second clip, cut into segments of a second; `key`: a folder whose content key goes beside them.
    static func cut(_ options: [String], key: TemporaryDirectory? = nil) async throws -> Stream {
        let directory = try TemporaryDirectory()
        try await encode("testsrc2", seconds: 4, to: directory.url, options)
        if let key { try directory.write(key.read("content.key"), to: "content.key") }
        return try await described(directory)
    }

    /// The stream in `directory`, with the checksums that ffmpeg reads from its files.
    static func described(_ directory: TemporaryDirectory) async throws -> Stream {
        let source = directory.file("index.m3u8")
        return Stream(
            folder: directory.url, video: try await Players.checksums(source, "v"),
            audio: try await Players.checksums(source, "a"), owner: directory)
    }

    /// Encodes a picture with a tone into `folder`/index.m3u8.
    static func encode(_ picture: String, seconds: Int, to folder: URL, _ options: [String]) async throws {
        let sources = [
            "-f", "lavfi", "-i", "\(picture)=s=160x90:r=25", "-f", "lavfi", "-i", "sine=f=440:r=44100",
        ]
        let video = [
            "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "0", "-g", "25",
        ]
        let audio = ["-c:a", "aac", "-b:a", "48k"]
        let playlist = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]
        try await Players.ffmpeg.run(
            ["-nostdin", "-v", "error"] + sources + ["-t", "\(seconds)"] + video + audio + playlist + options
                + [folder.appending(path: "index.m3u8").path])
    }

    /// The EXTINF and URI lines of a media playlist, each URI as `rename` makes it.
    static func segmentLines(_ playlist: URL, _ rename: (Substring) -> String) throws -> [String] {
        let text = String(decoding: try Data(contentsOf: playlist), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("#EXTINF") { return String(line) }
            return line.hasPrefix("#") ? nil : rename(line)
        }
    }
}
