import TestSupport

/// A small stream that is not encrypted, with English and German audio.
enum ClearStream {
    /// Serves it; the address of its multivariant playlist.
    @discardableResult
    static func publish(on origin: OriginServer) -> String {
        for name in ["v", "en", "de"] {
            origin.serve(
                "/\(name)/0.ts", bytes: SampleMedia.transportStream(2), contentType: "video/mp2t")
            origin.serve(
                "/\(name)/index.m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n")
        }
        let audio = ["en", "de"].map {
            #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="\#($0)",NAME="\#($0)",URI="\#($0)/index.m3u8""#
        }
        origin.serve(
            "/clear.m3u8",
            text: "#EXTM3U\n\(audio.joined(separator: "\n"))\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=640x360,AUDIO=\"a\"\nv/index.m3u8\n")
        return origin.url("/clear.m3u8")
    }
}
