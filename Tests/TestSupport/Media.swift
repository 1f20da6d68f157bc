/// Bytes that look like media to programs that do not decode pictures.
public enum Media {
    /// MPEG-2 transport stream packets.
    public static func ts(_ packets: Int, seed: UInt64 = 1) -> [UInt8] {
        SampleMedia.transportStream(packets, seed: seed)
    }

    /// A transport packet that begins a picture with a presentation timestamp.
    public static func timedPacket(_ ticks: Int) -> [UInt8] {
        let time = [
            UInt8(0x21 | (ticks >> 30 & 7) << 1), UInt8(ticks >> 22 & 0xFF), UInt8(ticks >> 14 & 0xFE | 1),
            UInt8(ticks >> 7 & 0xFF), UInt8(ticks << 1 & 0xFE | 1),
        ]
        let header: [UInt8] = [0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5] + time
        return header + [UInt8](repeating: 0xFF, count: 188 - header.count)
    }

    /// An MP4 box with `count` bytes of content.
    public static func box(_ type: String, _ count: Int, seed: UInt64 = 1) -> [UInt8] {
        let size = UInt32(count + 8)
        let header = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        return header + Array(type.utf8) + OriginResource.pattern(count, seed: seed)
    }

    /// An initialization section.
    public static func initialization(_ seed: UInt64 = 1) -> [UInt8] {
        SampleMedia.initialization(seed: seed)
    }

    /// A fragment of an MP4 file.
    public static func fragment(_ seed: UInt64) -> [UInt8] {
        SampleMedia.fragment(seed: seed)
    }

    /// A page as portals send it in place of anything.
    public static let page = Array("<!DOCTYPE html>\n<html><body>Please log in</body></html>".utf8)
}

extension OriginServer {
    /// Serves `count` segments of transport stream with a media playlist, `folder`/index.m3u8; returns their bytes.
    ///
    /// - Parameter key: encrypts them as METHOD=AES-128 does.
    @discardableResult
    public func serveStream(
        _ folder: String, count: Int = 4, seed: UInt64 = 1, tags: String = "", key: [UInt8]? = nil
    ) -> [[UInt8]] {
        let segments = (0..<count).map { number in
            let clear = Media.ts(10 + number % 10, seed: seed + UInt64(number))
            return key.map { SampleMedia.encrypted(clear, key: $0, number: number) } ?? clear
        }
        for (number, bytes) in segments.enumerated() {
            serve("\(folder)/s\(number).ts", bytes: bytes, contentType: "video/mp2t")
        }
        serve("\(folder)/index.m3u8", text: Playlists.media((0..<count).map { "s\($0).ts" }, tags: tags))
        return segments
    }

    /// Serves four segments of video and two of subtitles, `folder`/master.m3u8.
    public func serveSubtitledStream(_ folder: String = "") {
        serveStream("\(folder)/v", count: 4)
        serveSubtitles("\(folder)/s")
        serve(
            "\(folder)/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)))
    }

    /// Serves WebVTT segments with a media playlist, `folder`/index.m3u8.
    public func serveSubtitles(_ folder: String, count: Int = 2) {
        for number in 0..<count {
            serve(
                "\(folder)/s\(number).vtt", text: "WEBVTT\n\n\(folder) \(number)\n", contentType: "text/vtt")
        }
        serve("\(folder)/index.m3u8", text: Playlists.media((0..<count).map { "s\($0).vtt" }, seconds: 8))
    }

    /// The paths asked for, in order.
    public var paths: [String] { requests.map(\.path) }

    /// The paths of fetched media, without requests for their first byte only.
    public var mediaPaths: [String] {
        requests.filter { !$0.path.hasSuffix(".m3u8") && $0.header("Range") != "bytes=0-0" }.map(\.path)
    }
}
