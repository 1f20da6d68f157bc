import HLSPlaylist
import Testing

@Suite("A written multivariant playlist")
struct MultivariantPlaylistWriterTests {
    @Test("keeps the attributes of its entries, with the URIs they are given")
    func whole() throws {
        let source = try multivariant(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="https://h/a.m3u8?t=1",X-V="1"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="n",INSTREAM-ID="CC1"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",SUBTITLES="s",CLOSED-CAPTIONS="c"
            https://h/v.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=2,URI="https://h/i.m3u8"
            """)
        var writer = MultivariantPlaylistWriter()
        writer.independentSegments = true
        writer.start = StartPoint(timeOffset: 0)
        writer.sessionData = [SessionData(attributes: try AttributeList(parsing: #"DATA-ID="d",VALUE="v""#))]
        writer.sessionKeys = [EncryptionKey(method: .aes128, uri: "k")]
        writer.renditions = source.renditions
        writer.renditions[0].uri = "a/playlist.m3u8"
        writer.variants = source.variants
        writer.variants[0].uri = "v/playlist.m3u8"
        writer.variants[0].attributes = source.variants[0].attributes.removing("SUBTITLES")
        writer.iFrameStreams = source.iFrameStreams
        writer.iFrameStreams[0].uri = "i/playlist.m3u8"
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-VERSION:1
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-START:TIME-OFFSET=0
                #EXT-X-SESSION-DATA:DATA-ID="d",VALUE="v"
                #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="a/playlist.m3u8",X-V="1"
                #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="n",INSTREAM-ID="CC1"
                #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",CLOSED-CAPTIONS="c"
                v/playlist.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=2,URI="i/playlist.m3u8"

                """)
    }

    @Test("has the lowest version that allows its tags")
    func versions() throws {
        var writer = MultivariantPlaylistWriter()
        #expect(lines(writer.bytes)[1] == "#EXT-X-VERSION:1")
        writer.sessionKeys = [EncryptionKey(method: .sampleAES, uri: "k", keyFormat: "f")]
        #expect(lines(writer.bytes)[1] == "#EXT-X-VERSION:5")
        let captions = try AttributeList(parsing: #"TYPE=CLOSED-CAPTIONS,INSTREAM-ID="SERVICE1""#)
        writer.renditions = [Rendition(type: .closedCaptions, uri: nil, attributes: captions)]
        #expect(lines(writer.bytes)[1] == "#EXT-X-VERSION:7")
        let layout = try AttributeList(parsing: #"BANDWIDTH=1,REQ-VIDEO-LAYOUT="CH-STEREO""#)
        writer.variants = [VariantStream(uri: "v", attributes: layout)]
        #expect(lines(writer.bytes)[1] == "#EXT-X-VERSION:12")
    }

    @Test("has no tags beside those that it is given")
    func empty() {
        #expect(lines(MultivariantPlaylistWriter().bytes).contains { $0.contains("INDEPENDENT") } == false)
    }
}
