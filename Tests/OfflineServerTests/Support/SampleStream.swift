import Foundation
import Locking
import TestSupport

/// A small stream: encrypted transport stream video, fragmented MP4 audio with an initialization section,
/// WebVTT subtitles, a poster.
struct SampleStream {
    /// The part before each URI; empty for relative ones.
    var base = ""
    static let segments = 4
    static let key = Secret.key([UInt8](0..<16))
    static let duration = 8.0
    static let audioStart = SampleMedia.initialization(seed: 90)
    static let poster: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + OriginResource.pattern(300, seed: 91)

    /// Made once: a debug build takes its time for so many bytes.
    private static let videos = (0..<segments).map { encryptedVideo($0, seed: UInt64($0 + 1)) }
    /// Another version of the first video segment.
    static let otherVideo = encryptedVideo(0, seed: 77)

    /// 65,536 bytes; the last packet is cut.
    private static func encryptedVideo(_ number: Int, seed: UInt64) -> [UInt8] {
        let clear = SampleMedia.transportStream(349, seed: seed).prefix(65_530)
        return SampleMedia.encrypted(Array(clear), key: key, number: number)
    }

    static func video(_ number: Int) -> [UInt8] { videos[number] }

    private static let clearVideos = (0..<segments).map {
        SampleMedia.transportStream(349, seed: UInt64($0 + 50))
    }

    /// A video segment of a stream that is not encrypted.
    static func clearVideo(_ number: Int) -> [UInt8] { clearVideos[number] }

    private static let audios = (0..<segments).map { number in
        SampleMedia.fragment(seed: UInt64(number + 20), count: 4000)
    }

    static func audio(_ number: Int) -> [UInt8] { audios[number] }

    static func subtitles(_ number: Int) -> [UInt8] {
        Array("WEBVTT\n\n00:0\(number * 2).000 --> 00:0\(number * 2 + 1).000\nLine \(number)\n".utf8)
    }

    /// Path and bytes of everything; the multivariant playlist is `master.m3u8`.
    var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [
            "master.m3u8": Array(master.utf8), "video/360.m3u8": Array(videoPlaylist.utf8),
            "audio/en.m3u8": Array(playlist("audio", "m4s", map: "start.mp4").utf8),
            "text/en.m3u8": Array(playlist("text", "vtt").utf8), "video/clip.key": Self.key,
            "audio/start.mp4": Self.audioStart, "poster.jpg": Self.poster,
        ]
        for number in 0..<Self.segments {
            files["video/\(number).ts"] = Self.video(number)
            files["audio/\(number).m4s"] = Self.audio(number)
            files["text/\(number).vtt"] = Self.subtitles(number)
        }
        return files
    }

    private var master: String {
        """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,\
        URI="\(base)audio/en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="en",NAME="English",URI="\(base)text/en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,\
        AUDIO="a",SUBTITLES="s"
        \(base)video/360.m3u8

        """
    }

    private var videoPlaylist: String {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(prefix("video"))clip.key\""
        return playlist("video", "ts", extra: key + "\n")
    }

    private func prefix(_ folder: String) -> String { base.isEmpty ? "" : "\(base)\(folder)/" }

    private func playlist(_ folder: String, _ suffix: String, map: String? = nil, extra: String = "")
        -> String
    {
        let map = map.map { "#EXT-X-MAP:URI=\"\(prefix(folder))\($0)\"\n" } ?? ""
        let list = (0..<Self.segments).map { "#EXTINF:2.000,\n\(prefix(folder))\($0).\(suffix)\n" }.joined()
        return "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n\(extra)\(map)\(list)#EXT-X-ENDLIST\n"
    }

    /// Writes it into `folder`.
    func write(to folder: TemporaryDirectory) throws {
        for (name, bytes) in files { try folder.write(bytes, to: name) }
    }

    /// Serves it from `origin`; the address of its multivariant playlist.
    @discardableResult
    func publish(on origin: OriginServer) -> String {
        for (name, bytes) in files {
            origin.serve("/\(name)", Self.resources.withLock { Self.resource(name, bytes, in: &$0) })
        }
        return origin.url("/master.m3u8")
    }

    private static let resources = Lock<[String: OriginResource]>([:])

    /// Media are made once, for the same reason.
    private static func resource(
        _ name: String, _ bytes: [UInt8], in known: inout [String: OriginResource]
    ) -> OriginResource {
        guard !name.hasSuffix("m3u8") else {
            return OriginResource(bytes: bytes, contentType: "application/vnd.apple.mpegurl")
        }
        let resource = known[name] ?? OriginResource(bytes: bytes)
        known[name] = resource
        return resource
    }

    /// Each media resource below an asset's address, with its bytes and its type.
    static var served: [(path: String, bytes: [UInt8], type: String)] {
        (0..<segments).flatMap { number in
            [
                ("video-360p/\(number).ts", video(number), "video/mp2t"),
                ("audio-en/\(number).m4s", audio(number), "video/iso.segment"),
                ("subtitles-en/\(number).vtt", subtitles(number), "text/vtt; charset=utf-8"),
            ]
        } + [("audio-en/init-0.mp4", audioStart, "video/mp4")]
    }
}

extension OriginServer {
    /// The requests for segments and initialization sections, without those for only the first byte.
    var mediaRequests: [OriginRequest] {
        requests.filter { request in
            request.header("Range") != "bytes=0-0"
                && ["ts", "m4s", "mp4", "vtt"].contains { request.path.hasSuffix(".\($0)") }
        }
    }

    /// Whether no part of media was requested twice. On a line that seems slow, as it may on a busy machine, a
    /// segment comes in pieces.
    var mediaIsAskedForOnce: Bool {
        let places = mediaRequests.map { "\($0.path) \($0.offset)" }
        return Set(places).count == places.count
    }
}

/// Runs `body` while an origin releases everything that it holds back.
func releasing<Value>(_ origin: OriginServer, _ body: () async throws -> Value) async rethrows -> Value {
    let task = Task {
        while !Task.isCancelled {
            origin.release()
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
    defer { task.cancel() }
    return try await body()
}
