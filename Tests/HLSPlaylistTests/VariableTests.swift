import HLSPlaylist
import Testing

@Suite("Variables")
struct VariableTests {
    @Test("are put into URIs, quoted strings and hexadecimal values, once")
    func everywhere() throws {
        let name = "hls.js__m3u8-parser_imports-and-substitutes-variable-references-in-quoted-string_level"
        let playlist = try media(
            try Corpus.text(name), context: VariableContext(imported: ["mvpVariable": "x{$p}"]))
        #expect(playlist.segments[0].uri == "ax{$p}.mp4")
        let key = try #require(playlist.segments[0].keys.first)
        #expect(key.uri == "skd://key-data" && key.keyFormat == "com.apple.streamingkeydelivery")
        #expect(key.iv?.bytes.last == 2)
        #expect(playlist.initializationSections[0].byteRange == ByteRange(length: 718, offset: 0))
        #expect(playlist.segments[3].parts.first?.uri == "part-4-1.mp4")
        #expect(playlist.skip?.recentlyRemovedDateRanges == ["DrTag", "tdl", "drMeta", "foo"])
        #expect(playlist.preloadHints.map(\.uri) == ["part-5.1.mp4"])
        #expect(playlist.renditionReports.map(\.lastPart) == [3, nil])
        #expect(playlist.dateRanges.first?.startDate == "2018-09-28T16:50:48Z")
        #expect(playlist.segments[3].otherTags.first?.contains("ID=\"drMeta\"") == true)
        #expect(playlist.serialized == (try Corpus.bytes(name)))
    }

    @Test("of a multivariant playlist can be defined by others before them")
    func multivariantVariables() throws {
        let name = "hls.js__m3u8-parser_substitutes-variable-references-in-quoted-strings-URI-lines_manifest"
        let playlist = try multivariant(try Corpus.text(name))
        #expect(playlist.variables["bar"] == "ok")
        #expect(playlist.variants.map(\.uri).last == "https://example.com/sec/avc1.64001f/2.m3u8")
        #expect(playlist.variants[0].attributes["NAME"] == "ok1")
        #expect(playlist.contentSteering?.serverURI == "https://example.com/steering-manifest.json")
    }

    @Test("come from the query of the playlist's URL, decoded")
    func query() throws {
        let text = "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:1,\na?x={$t}\n"
        let context = VariableContext(playlistURL: "https://h/p.m3u8?s=1&t=a%2Bb&t=c#f")
        #expect(try media(text, context: context).segments[0].uri == "a?x=a+b")
        let missing = refusal(text, context: VariableContext(playlistURL: "https://h/p.m3u8?s=1"))
        #expect(missing?.code == .undefinedVariable("t"))
        #expect(missing?.line == 2)
    }

    @Test("to import that the multivariant playlist lacks are an error; without one they stay as text")
    func imports() throws {
        let text = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"t\"\n#EXTINF:1,\n{$t}\n"
        #expect(refusal(text, context: VariableContext(imported: [:]))?.code == .undefinedVariable("t"))
        #expect(try media(text).segments[0].uri == "{$t}")
        #expect(try media(text, context: VariableContext(imported: ["t": "v"])).segments[0].uri == "v")
    }

    @Test("stay as text in definitions of others that come before them")
    func definitions() throws {
        let head = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x{$b}\"\n"
        #expect(try media(head + "#EXTINF:1,\n{$a}\n").segments[0].uri == "x{$b}")
        let variants = try multivariant(head + "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$a}\n").variants
        #expect(variants.map(\.uri) == ["x{$b}"])
    }

    @Test("are no variables in a playlist that defines none")
    func literal() throws {
        #expect(try media("#EXTM3U\n#EXTINF:1,\na{$b}{c}.ts\n").segments[0].uri == "a{$b}{c}.ts")
    }

    @Test("that are not defined before they are used, or twice, are errors")
    func errors() {
        let late = "#EXTM3U\n#EXTINF:1,\n{$a}\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n"
        #expect(refusal(late)?.code == .undefinedVariable("a"))
        #expect(refusal(late)?.line == 3)
        let unknown = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXTINF:1,\n{$b}\n"
        #expect(refusal(unknown)?.code == .undefinedVariable("b"))
        let twice =
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXTINF:1,\nx\n"
        #expect(refusal(twice)?.code == .duplicateVariable("a"))
    }

    @Test("cannot break out of an attribute")
    func injection() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:QUERYPARAM="t"
            #EXT-X-DATERANGE:ID="{$t}",SCTE35-CMD={$t}
            #EXTINF:1,
            a
            """
        let context = VariableContext(playlistURL: "http://h/?t=%22%2CURI%3D%22x%0A%23EXT-X-ENDLIST")
        let playlist = try media(text, context: context)
        #expect(
            playlist.segments[0].otherTags == [
                "#EXT-X-DATERANGE:ID=\",URI=x#EXT-X-ENDLIST\",SCTE35-CMD=URI=x#EXT-X-ENDLIST"
            ])
    }

    @Test("make as much text as the limit allows in all, and are refused when they make more")
    func limit() {
        let head = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"12345\"\n"
        // Text without a variable does not count.
        let text = head + "#EXTINF:1,\n12345.ts\n#EXTINF:1,\n{$a}\n#EXTINF:1,\n{$a}\n"
        var limits = ParseLimits()
        limits.substitutedBytes = 10
        #expect(refusal(text, limits: limits) == nil)
        limits.substitutedBytes = 9
        let error = refusal(text, limits: limits)
        #expect(error?.code == .overLimit(.substitutedBytes) && error?.line == 8)
        let variants =
            head + "#EXT-X-STREAM-INF:BANDWIDTH=1\nplain.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n{$a}.m3u8\n"
        limits.substitutedBytes = 10
        #expect(refusal(variants, limits: limits) == nil)
    }

    @Test("that grow out of each other are refused before they fill the memory")
    func growth() {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
        for index in 1..<60 {
            let before = "{$v\(index - 1)}"
            text += "#EXT-X-DEFINE:NAME=\"v\(index)\",VALUE=\"\(before)\(before)\"\n"
        }
        #expect(refusal(text + "#EXTINF:1,\n{$v59}\n")?.code == .overLimit(.substitutedBytes))
    }
}
