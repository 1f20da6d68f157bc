import HLSPlaylist
import Testing

@Suite("A multivariant playlist")
struct MultivariantPlaylistTests {
    private let text = """
        #EXTM3U
        #EXT-X-VERSION:12
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer",PATHWAY-ID="A"
        #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="A title",LANGUAGE="en"
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
        CHANNELS="6",URI="en.m3u8",STABLE-RENDITION-ID="r1"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="Deutsch",LANGUAGE="de",FORCED=YES,URI="de.m3u8",\
        CHARACTERISTICS="public.accessibility.describes-music-and-sound, public.easy-to-read"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1500000,CODECS="avc1.64001f, mp4a.40.2",\
        RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="aud",SUBTITLES="sub",CLOSED-CAPTIONS="cc",SCORE=2.5,\
        VIDEO-RANGE=SDR,HDCP-LEVEL=NONE,PATHWAY-ID="A",STABLE-VARIANT-ID="v1"
        # a comment between a tag and its URI

        720.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=900000.7,CLOSED-CAPTIONS=NONE
        360.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,RESOLUTION=1280X720,URI="if.m3u8"
        #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI="im.m3u8"
        """

    @Test("says that segments are independent only with the tag for it")
    func independence() throws {
        #expect(try multivariant(text).independentSegments)
        #expect(
            try !multivariant(text.replacing("#EXT-X-INDEPENDENT-SEGMENTS\n", with: "")).independentSegments)
        let bare = try media("#EXTM3U\n#EXTINF:1,\na\n")
        #expect(!bare.independentSegments && !bare.hasEndList && !bare.iFramesOnly && !bare.imagesOnly)
        #expect(!bare.segments[0].isGap && !bare.segments[0].isDiscontinuity)
    }

    @Test("tells its variants")
    func variants() throws {
        let playlist = try multivariant(text)
        let first = try #require(playlist.variants.first)
        #expect(first.uri == "720.m3u8" && first.line == 10)
        #expect(first.bandwidth == 2_000_000 && first.averageBandwidth == 1_500_000)
        #expect(first.codecs == ["avc1.64001f", "mp4a.40.2"])
        #expect(first.resolution == Resolution(width: 1280, height: 720))
        #expect(first.frameRate == 29.97 && first.score == 2.5)
        #expect(first.audio == "aud" && first.subtitles == "sub" && first.closedCaptions == "cc")
        #expect(first.video == nil && first.videoRange == "SDR" && first.hdcpLevel == "NONE")
        #expect(first.pathwayID == "A" && first.stableVariantID == "v1")
        let second = try #require(playlist.variants.last)
        #expect(second.bandwidth == 900_000)
        #expect(second.closedCaptions == nil && second.declaresNoClosedCaptions)
    }

    @Test("tells its renditions by group")
    func renditions() throws {
        let playlist = try multivariant(text)
        let audio = try #require(playlist.renditions(.audio, group: "aud").first)
        #expect(audio.name == "English" && audio.isDefault && audio.autoselect && !audio.forced)
        #expect(audio.channels == "6" && audio.uri == "en.m3u8" && audio.stableRenditionID == "r1")
        let subtitles = try #require(playlist.renditions(.subtitles, group: "sub").first)
        #expect(subtitles.characteristics.last == "public.easy-to-read" && subtitles.forced)
        let captions = try #require(playlist.renditions(.closedCaptions, group: "cc").first)
        #expect(captions.uri == nil && captions.instreamID == "CC1")
        #expect(playlist.renditions(.audio, group: "cc").isEmpty)
    }

    @Test("has the session's keys and data")
    func session() throws {
        let playlist = try multivariant(text)
        #expect(playlist.version == 12 && playlist.independentSegments)
        #expect(playlist.contentSteering?.serverURI == "/steer" && playlist.contentSteering?.pathwayID == "A")
        #expect(playlist.sessionData.map(\.dataID) == ["com.apple.hls.title"])
        #expect(playlist.sessionData.first?.value == "A title")
        #expect(playlist.sessionKeys.first?.method == .sampleAES)
        #expect(playlist.iFrameStreams.map(\.uri) == ["if.m3u8"])
        #expect(playlist.iFrameStreams.first?.resolution?.description == "1280x720")
        #expect(playlist.imageStreams.map(\.uri) == ["im.m3u8"] && playlist.otherTags == [])
    }

    @Test("may consist of renditions only")
    func renditionsOnly() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"u\"\n")
        #expect(playlist.variants.isEmpty && playlist.renditions.count == 1)
    }

    @Test("is refused where a variant has no URI")
    func missingURI() {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=2\na\n"
        #expect(refusal(text)?.line == 2)
        #expect(refusal(text)?.code == .missingURI)
    }

    @Test("has no empty codecs, where a list has blanks or nothing between its commas")
    func emptyCodecs() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\" , avc1.64001f,,  ,mp4a.40.2 , \"\na\n")
        #expect(playlist.variants.map(\.codecs) == [["avc1.64001f", "mp4a.40.2"]])
    }
}
