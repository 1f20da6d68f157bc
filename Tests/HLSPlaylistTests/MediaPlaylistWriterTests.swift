import HLSPlaylist
import Testing

@Suite("A written media playlist")
struct MediaPlaylistWriterTests {
    private func written(_ entries: SegmentEntry...) -> [String] {
        var writer = MediaPlaylistWriter()
        for entry in entries { writer.append(entry) }
        return lines(writer.bytes)
    }

    @Test("has a header, its segments and an end")
    func whole() {
        var writer = MediaPlaylistWriter()
        writer.targetDuration = 4
        writer.mediaSequence = 30
        writer.discontinuitySequence = 2
        writer.playlistType = .vod
        writer.independentSegments = true
        writer.start = StartPoint(timeOffset: -12.25, isPrecise: true)
        writer.hasEndList = true
        var entry = SegmentEntry(uri: "s/30.m4s", duration: 6.5, durationText: "6.5000")
        entry.title = "x"
        entry.programDateTime = "2026-01-02T03:04:05Z"
        entry.bitrate = 900
        entry.isGap = true
        entry.byteRange = ByteRange(length: 10, offset: 5)
        entry.isDiscontinuity = true
        entry.otherTags = ["#EXT-X-CUE-OUT"]
        writer.append(entry)
        writer.append(tag: "#EXT-X-CUE-IN")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-VERSION:4
                #EXT-X-TARGETDURATION:7
                #EXT-X-MEDIA-SEQUENCE:30
                #EXT-X-DISCONTINUITY-SEQUENCE:2
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-START:TIME-OFFSET=-12.25,PRECISE=YES
                #EXT-X-DISCONTINUITY
                #EXT-X-CUE-OUT
                #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z
                #EXT-X-BITRATE:900
                #EXT-X-GAP
                #EXT-X-BYTERANGE:10@5
                #EXTINF:6.5000,x
                s/30.m4s
                #EXT-X-CUE-IN
                #EXT-X-ENDLIST

                """)
    }

    @Test("never has a target duration below that of its source")
    func targetDuration() throws {
        var writer = MediaPlaylistWriter(header: try media("#EXTM3U\n#EXT-X-TARGETDURATION:10\n"))
        writer.append(SegmentEntry(uri: "a", duration: 4))
        #expect(lines(writer.bytes).contains("#EXT-X-TARGETDURATION:10"))
    }

    @Test("says of a source's segments that they are pictures, before the first one")
    func pictures() throws {
        let source = try media("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-IMAGES-ONLY\n#EXTINF:4,\na.jpg\n")
        #expect(source.imagesOnly && source.segments.first?.otherTags.isEmpty == true)
        let writer = MediaPlaylistWriter(header: source)
        #expect(lines(writer.bytes).contains("#EXT-X-IMAGES-ONLY"))
    }

    @Test("has the lowest version that allows its tags")
    func versions() {
        var entry = SegmentEntry(uri: "a", duration: 4, durationText: "4")
        #expect(written(entry)[1] == "#EXT-X-VERSION:1")
        entry.keys = [EncryptionKey(method: .aes128, uri: "k")]
        #expect(written(entry)[1] == "#EXT-X-VERSION:1")
        entry.keys = [EncryptionKey(method: .aes128, uri: "k", iv: InitializationVector(mediaSequence: 1))]
        #expect(written(entry)[1] == "#EXT-X-VERSION:2")
        entry.durationText = "4.0"
        #expect(written(entry)[1] == "#EXT-X-VERSION:3")
        entry.byteRange = ByteRange(length: 1, offset: 0)
        #expect(written(entry)[1] == "#EXT-X-VERSION:4")
        entry.keys = [EncryptionKey(method: .sampleAES, uri: "k")]
        #expect(written(entry)[1] == "#EXT-X-VERSION:5")
        entry.initializationSection = InitializationSection(uri: "i")
        #expect(written(entry)[1] == "#EXT-X-VERSION:6")
        var writer = MediaPlaylistWriter()
        writer.iFramesOnly = true
        writer.append(entry)
        #expect(lines(writer.bytes)[1] == "#EXT-X-VERSION:5")
    }

    @Test("writes keys where they change, and METHOD=NONE where a format ends")
    func keys() {
        let identity = EncryptionKey(method: .aes128, uri: "k1")
        let other = EncryptionKey(method: .sampleAES, uri: "k2", keyFormat: "f", keyFormatVersions: "1")
        var first = SegmentEntry(uri: "a", duration: 1)
        first.keys = [identity, other]
        var second = SegmentEntry(uri: "b", duration: 1)
        second.keys = [identity]
        let third = SegmentEntry(uri: "c", duration: 1)
        let tags = written(first, first, second, third, third).filter { $0.hasPrefix("#EXT-X-KEY") }
        #expect(
            tags == [
                #"#EXT-X-KEY:METHOD=AES-128,URI="k1""#,
                #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k2",KEYFORMAT="f",KEYFORMATVERSIONS="1""#,
                "#EXT-X-KEY:METHOD=NONE", #"#EXT-X-KEY:METHOD=AES-128,URI="k1""#, "#EXT-X-KEY:METHOD=NONE",
            ])
    }

    @Test("writes a map under its own keys, where it changes, and again after a discontinuity")
    func maps() {
        let key = EncryptionKey(method: .aes128, uri: "k")
        var entry = SegmentEntry(uri: "a", duration: 1, durationText: "1")
        entry.keys = [key]
        entry.initializationSection = InitializationSection(
            uri: "i", byteRange: ByteRange(length: 9, offset: 0))
        var next = entry
        next.uri = "b"
        next.isDiscontinuity = true
        #expect(
            written(entry, entry, next).dropFirst(4) == [
                #"#EXT-X-MAP:URI="i",BYTERANGE="9@0""#, #"#EXT-X-KEY:METHOD=AES-128,URI="k""#, "#EXTINF:1,",
                "a",
                "#EXTINF:1,", "a", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY:METHOD=NONE",
                #"#EXT-X-MAP:URI="i",BYTERANGE="9@0""#, #"#EXT-X-KEY:METHOD=AES-128,URI="k""#, "#EXTINF:1,",
                "b", "",
            ])
    }

    @Test("writes durations without an exponent")
    func durations() {
        let found = [0.00001, 1e15, 5, 2.002, 0.1 + 0.2, .nan, 1.9999999].map {
            written(SegmentEntry(uri: "a", duration: $0))[4]
        }
        #expect(
            found == [
                "#EXTINF:0.00001,", "#EXTINF:1000000000,", "#EXTINF:5,", "#EXTINF:2.002,", "#EXTINF:0.3,",
                "#EXTINF:0,", "#EXTINF:2,",
            ])
    }

    @Test("loses line ends in texts that would make lines of their own")
    func injection() throws {
        var entry = SegmentEntry(uri: "a\n#EXT-X-ENDLIST", duration: 1)
        entry.title = "x\r\n#EXT-X-KEY:METHOD=NONE"
        entry.otherTags = ["#EXT-A\nb.ts"]
        entry.programDateTime = "2026\n"
        entry.initializationSection = InitializationSection(uri: "i\",X=\"\n1")
        let text = written(entry)
        #expect(text.count == 10)
        #expect(text[5] == #"#EXT-X-MAP:URI="i,X=1""#)
    }
}
