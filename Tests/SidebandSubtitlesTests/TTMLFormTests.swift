import SidebandSubtitles
import Testing

@Suite("The XML of Timed Text")
struct TTMLFormTests {
    private func texts(_ body: String, head: String = "") throws -> [String] {
        let document = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><head>\(head)</head><body>\(body)</body></tt>"
        return try SubtitleFile(reading: Array(document.utf8)).track.cues.map(\.text)
    }

    /// A paragraph that is shown.
    private func paragraph(_ text: String) -> String { "<p begin=\"0s\" end=\"1s\">\(text)</p>" }

    @Test(
        "may have what ends a tag in the values of attributes, in either quotes",
        arguments: [
            "xml:id=\"a>b\"", "xml:id='a/>'", "xml:id=\"a=\"", "xml:id=\"a='b'\"", "xml:id=\"\"",
            "xml:id = 'a'",
            "x", "=", "xml:id=a",
        ])
    func attributes(attribute: String) throws {
        #expect(try texts("<p \(attribute) begin=\"0s\" end=\"1s\">x</p>") == ["x"])
        #expect(try texts("<p begin=\"0s\" end=\"1s\" \(attribute)>x</p>") == ["x"])
    }

    @Test(
        "may have text in sections of character data, which have no markup, and comments, which are no text")
    func sections() throws {
        #expect(try texts(paragraph("<![CDATA[a <b> & &amp; c]]>d")) == ["a &lt;b&gt; &amp; &amp;amp; cd"])
        #expect(try texts(paragraph("a<![CDATA[]]>b<!-- <p> --><?x <p> ?>c")) == ["abc"])
    }

    @Test(
        "may end anywhere: what was complete is read",
        arguments: ["<![CDATA[", "<![CDATA[ab]", "<!--", "<?x", "</", "<b a=\"", "<b", "&am"])
    func cut(end: String) throws {
        let document = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body>\(paragraph("x"))\(end)"
        #expect(try SubtitleFile(reading: Array(document.utf8)).track.cues.map(\.text) == ["x"])
    }

    @Test(
        "is none where only a document type stands",
        arguments: ["<!DOCTYPE tt [", "<!DOCTYPE tt", "<!DOCTYPE tt [<!ENTITY a \"b\">]>"])
    func documentType(text: String) {
        #expect(throws: WebVTTError.self) {
            try SubtitleFile(reading: Array("<?xml version=\"1.0\"?>\(text)".utf8))
        }
    }

    @Test("may be deeper than is looked at: what stands behind has its place and its look")
    func depth() throws {
        let deep = String(repeating: "<span>", count: 200) + "a" + String(repeating: "</span>", count: 200)
        let italic = "<span tts:fontStyle=\"italic\">c</span>"
        #expect(try texts(paragraph(deep + "b") + paragraph(italic)) == ["ab", "<i>c</i>"])
    }

    @Test("has no blanks at the ends of a line, also within what has a look of its own")
    func blanks() throws {
        let italic = "<span tts:fontStyle=\"italic\"> b</span>"
        #expect(try texts(paragraph(italic)) == ["<i>b</i>"])
        #expect(try texts(paragraph("a<br/>\(italic)")) == ["a\n<i>b</i>"])
        #expect(try texts(paragraph("a\(italic)")) == ["a<i> b</i>"])
        #expect(try texts(paragraph("a \(italic)")) == ["a <i>b</i>"])
    }
}
