import AssetStore
import Testing

@testable import APIDocuments

@Suite("The values of a request")
struct RequestValueTests {
    private func isSound(_ change: (inout Selection) -> Void) -> Bool {
        var selection = Selection()
        change(&selection)
        return selection.isSound
    }

    @Test("must have possible limits, one limit of the bit rate at most, and a part with a length")
    func selection() {
        #expect(isSound { $0.maximumBitrate = 1 } && !isSound { $0.maximumBitrate = 0 })
        #expect(isSound { $0.maximumHeight = 1 } && !isSound { $0.maximumHeight = 0 })
        #expect(!isSound { $0.minimumBitrate = -1 })
        #expect(!isSound { ($0.minimumBitrate, $0.maximumBitrate) = (1, 2) })
        #expect(isSound { ($0.start, $0.end) = (0, 1) } && !isSound { ($0.start, $0.end) = (1, 1) })
        #expect(!isSound { $0.start = -1 } && !isSound { $0.end = 0 } && isSound { $0.start = 5 })
    }

    @Test("is a header field with a name and a value that can be sent")
    func headers() {
        #expect(HeaderLine.split("X-A: 1: 2 ") == ["X-A", "1: 2"])
        #expect(HeaderLine.split("X-A:") == ["X-A", ""])
        for line in ["X-A", ": 1", "X A: 1", "X-A: a\nb"] {
            #expect(HeaderLine.split(line) == nil, "\(line)")
        }
    }

    @Test("is strict only where that was asked for")
    func strict() {
        #expect(TracksBody(Selection(), subtitleFiles: [], isStrict: true).strict == true)
        #expect(TracksBody(Selection(), subtitleFiles: []).strict == nil)
        #expect(TracksBody(Selection(), subtitleFiles: [], isStrict: true).isEmpty)
        #expect(!TracksBody(removing: ["de"]).isEmpty)
    }

    @Test("names tracks to add or to remove, with one limit of the bit rate at most")
    func tracks() throws {
        func read(_ text: String) -> TracksBody? { JSONBody.decode(Array(text.utf8)) }
        let file = #"{"source": "/a.srt", "language": "de"}"#
        let cases: [(String, String?)] = [
            ("{}", ""), (#"{"strict": true}"#, ""), (#"{"remove": [], "subtitle_files": []}"#, ""),
            (#"{"audio": "de"}"#, nil), (#"{"remove": ["x"]}"#, nil),
            (#"{"subtitle_files": [\#(file)]}"#, nil), (#"{"max_bitrate": 5}"#, nil),
            (#"{"max_bitrate": 5, "min_bitrate": 5}"#, "/min_bitrate"),
        ]
        for (text, pointer) in cases {
            let body = try #require(read(text))
            #expect(body.conflict?.pointer == pointer, "\(text)")
        }
    }

    @Test("is a key by the identifier that the media have, or by its name in the asset")
    func keys() throws {
        let digits = String(repeating: "0a", count: 16)
        guard case .identifier(let identifier)? = KeyPair("id-\(digits):\(digits)")?.name else {
            Issue.record("no identifier")
            return
        }
        #expect(identifier == [UInt8](repeating: 10, count: 16))
        guard case .id("k0")? = KeyPair("k0:\(digits)\(digits)")?.name else {
            Issue.record("no name")
            return
        }
        let wrong = [
            "k0", "k0:\(digits):x", "k0:0a", "k:\(digits)", "k1234567890:\(digits)", "x0:\(digits)",
            "0a:\(digits)",
        ]
        for text in wrong { #expect(KeyPair(text) == nil, "\(text)") }
    }

    @Test("can't have two members that exclude each other; the later one is named")
    func conflicts() {
        func fault(_ members: String) -> String? {
            let body = Array((#"{"url": "http://a.test/b", "# + members + "}").utf8)
            return DownloadBody(body) == nil ? DownloadBody.fault(in: body).pointer : nil
        }
        #expect(fault(#""purchase": true, "rental": 5"#) == "/rental")
        #expect(fault(#""purchase": false, "rental": 5"#) == nil)
        #expect(fault(#""max_bitrate": 5, "min_bitrate": 5"#) == "/min_bitrate")
        #expect(fault(#""headers": ["A: 1", "x"]"#) == "/headers/1")
        #expect(fault(#""live": true, "to": 5"#) == "/to" && fault(#""live": true, "from": 5"#) == "/from")
        #expect(fault(#""from": 5, "to": 5"#) == "/to" && fault(#""from": 4, "to": 5"#) == nil)
        #expect(fault(#""live": true"#) == nil)
    }
}
