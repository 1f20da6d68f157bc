import HLSPlaylist
import Testing

@Suite("Byte ranges")
struct ByteRangeTests {
    private func ranges(_ items: [(range: String, uri: String)]) throws -> [String?] {
        let body = items.map { "#EXTINF:1,\n#EXT-X-BYTERANGE:\($0.range)\n\($0.uri)\n" }.joined()
        return try media("#EXTM3U\n" + body).segments.map { $0.byteRange?.verbatim }
    }

    @Test("without an offset begin where the previous range of the same resource ends")
    func implicit() throws {
        let found = try ranges([
            ("10@5", "a"), ("20", "a"), ("7@100", "b"), ("30", "a"), ("1", "b"), ("2", "a"), ("3@0", "a"),
            ("4", "a"),
        ])
        #expect(found == ["10@5", "20@15", "7@100", "30@35", "1@107", "2@65", "3@0", "4@3"])
    }

    @Test("begin at 0 when the first one has no offset")
    func first() throws {
        #expect(try ranges([("10", "a"), ("5", "a")]) == ["10@0", "5@10"])
    }

    @Test("stay as they were behind whole segments")
    func afterWhole() throws {
        let playlist = try media(
            "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:4@4\na\n#EXTINF:1,\nb\n#EXTINF:1,\n#EXT-X-BYTERANGE:2\na\n"
        )
        #expect(playlist.segments.map { $0.byteRange?.verbatim } == ["4@4", nil, "2@8"])
    }

    @Test(
        "that cannot be read or that continue nothing are refused",
        arguments: [
            "x", "10@", "@5", "10@-1", "-1@0", "1@2@3", "9223372036854775807@1", "99999999999999999999@0",
        ])
    func refused(text: String) throws {
        let error = try #require(refusal("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:\(text)\na\n"))
        #expect(error.code == .badByteRange)
        #expect(error.line == 3)
    }

    @Test("without an offset are refused for a resource without an earlier range")
    func otherResource() throws {
        let text = "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:4@4\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:2\nb\n"
        #expect(refusal(text) == PlaylistError(code: .badByteRange, line: 7, excerpt: "b"))
    }

    @Test("that pass the largest offset together are refused")
    func overflow() throws {
        let text =
            "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:9223372036854775806@1\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:1\na\n"
        #expect(refusal(text)?.code == .badByteRange)
    }

    @Test("of parts continue the part before")
    func parts() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-PART-INF:PART-TARGET=1.1
            #EXT-X-PART:DURATION=1,URI="a",BYTERANGE="100@50",INDEPENDENT=YES
            #EXT-X-PART:DURATION=1,URI="a",BYTERANGE="10",GAP=YES
            #EXTINF:2,
            a
            #EXT-X-PART:DURATION=0.5,URI="b"
            """)
        let parts = playlist.segments[0].parts
        #expect(parts.map { $0.byteRange?.verbatim } == ["100@50", "10@150"])
        #expect(parts.map(\.isIndependent) == [true, false])
        #expect(parts.map(\.isGap) == [false, true])
        #expect(playlist.trailingParts.map(\.uri) == ["b"])
        #expect(playlist.partTarget == 1.1)
    }

    @Test("continue those of the same resource, whether variables or plain text name it")
    func variables() throws {
        let head = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"a\"\n"
        func segment(_ range: String, _ uri: String) -> String {
            "#EXTINF:1,\n#EXT-X-BYTERANGE:\(range)\n\(uri)\n"
        }
        for uris in [("{$v}.ts", "a.ts"), ("a.ts", "{$v}.ts"), ("{$v}.ts", "{$v}.ts")] {
            let playlist = try media(head + segment("10@5", uris.0) + segment("20", uris.1))
            #expect(playlist.segments.map { $0.byteRange?.verbatim } == ["10@5", "20@15"])
        }
        let other = head + segment("10@5", "{$v}.ts") + segment("20", "b.ts")
        #expect(refusal(other)?.code == .badByteRange)
    }

    @Test("without an offset continue the first range of all, also behind another resource")
    func continuedFirst() throws {
        #expect(try ranges([("10@5", "a"), ("7@100", "b"), ("20", "a")]) == ["10@5", "7@100", "20@15"])
    }
}
