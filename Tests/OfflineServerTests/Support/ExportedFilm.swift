import AssetStore
import TestSupport

/// Imports a stream that ffmpeg has made, and gets its `video.mp4` from a server.
func withProgram(
    _ stream: EncodedStream, _ body: (Program, AssetToken, [UInt8]) async throws -> Void
) async throws {
    let program = try Program()
    let (token, served) = try await withSite(in: program.store) { site in
        let (token, _, _) = try await stream.add(to: site)
        return (token, try await site.get("/assets/\(token)/video.mp4").body)
    }
    try await body(program, token, served)
}

/// A stream with subtitles, of which the origin has only the first segment.
struct FilmWithSubtitles {
    let master = Array(
        """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="text.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,SUBTITLES="s"
        index.m3u8

        """.utf8)
    let masterWithSound = Array(
        """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English (Stereo)",LANGUAGE="en",URI="audio.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,URI="de.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English SDH",LANGUAGE="en",CHARACTERISTICS="public.accessibility.describes-music-and-sound",URI="text.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="text-de.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,AUDIO="a",SUBTITLES="s"
        index.m3u8

        """.utf8)
    let playlist = Array(
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:3
        #EXTINF:3,
        0.vtt
        #EXTINF:3,
        1.vtt
        #EXT-X-ENDLIST

        """.utf8)
    let wholePlaylist = Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.vtt\n#EXT-X-ENDLIST\n".utf8)
    let cues = Array("WEBVTT\n\n00:00.500 --> 00:01.500\nFjord\n".utf8)
}
