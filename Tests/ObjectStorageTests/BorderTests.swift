import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("Documents of an S3 store")
struct DocumentBorderTests {
    private func text(_ content: String) -> String? { XMLText(Array("<a>\(content)</a>".utf8))["a"] }

    @Test(
        "keep an ampersand that begins no reference",
        arguments: [
            ("x &amp", "x &amp"), ("&", "&"), ("&;b", "&;b"), ("&odd;b", "&odd;b"), ("&#xD800;", "&#xD800;"),
            ("&lt;&gt;&quot;&apos;", "<>\"'"), ("&#65;&#x42;", "AB"), ("&&amp;", "&&"),
            ("a&amp;b&c", "a&b&c"),
        ])
    func references(content: String, wanted: String) { #expect(text(content) == wanted) }

    @Test("are read up to a depth of 32 elements")
    func depth() {
        func nested(_ depth: Int) -> XMLText {
            let begin = (1...depth).map { "<e\($0)>" }.joined()
            let end = (1...depth).reversed().map { "</e\($0)>" }.joined()
            return XMLText(Array("\(begin)x\(end)".utf8))
        }
        #expect(nested(32).isWhole && nested(32).elements.map(\.text) == ["x"])
        #expect(nested(32).elements.first?.path.count == 32)
        #expect(!nested(33).isWhole && nested(33).elements.isEmpty)
    }

    @Test("end with their first element")
    func end() {
        let document = XMLText(Array("<a><b>1</b></a><c>2</c>".utf8))
        #expect(document.isWhole && document.elements.map(\.name) == ["b"])
        #expect(document.elements.first?.parent == "a" && document["a"] == nil)
        #expect(XMLText(Array("<a>1<!-- > --><!x>2</a>".utf8))["a"] == "12")
    }

    @Test("have references for the signs and controls that a reader would change, and for nothing else")
    func escaped() {
        #expect(XMLText.escaped("a b~") == "a b~" && XMLText.escaped("\u{1F}\n") == "&#31;&#10;")
        #expect(XMLText.escaped("\r\n") == "&#13;&#10;")
    }
}

@Suite("An error of an S3 store")
struct ErrorBorderTests {
    @Test(
        "is temporary where the same request may succeed later",
        arguments: [
            (.slowDown, true), (.unavailable(status: 500), true), (.changedOnTheWay, true),
            (.wrongLength(expected: 2, received: 1), true), (.unexpected("", status: 408), true),
            (.unexpected("", status: 429), true), (.unexpected("", status: 407), false),
            (.unexpected("", status: 409), false), (.noSuchKey, false), (.tooShort, false),
            (.cancelled, false),
            (.accessDenied, false), (.noSpace, false), (.clockSkew(seconds: 9), false),
        ] as [(S3Error.Code, Bool)])
    func temporary(code: S3Error.Code, isOne: Bool) {
        #expect(S3Error(code: code, endpoint: "", bucket: "").isTemporary == isOne)
    }

    @Test("lets nobody wait for longer than half a minute, whatever the store asks for")
    func patience() {
        let retries = S3Retries(first: 1, longest: 1000, chance: { 1 })
        var error = S3Error(code: .slowDown, endpoint: "", bucket: "")
        error.retryAfter = 100
        #expect(S3Retries(first: 1, longest: 5, chance: { 0 }).delay(before: 1, after: error) == 30)
        #expect(retries.delay(before: 1, after: error) == 30 && retries.delay(before: 7, after: error) == 64)
        error.retryAfter = -5
        #expect(retries.delay(before: 1, after: error) == 1)
    }
}

@Suite("The receiver of an object")
struct SinkBorderTests {
    private func response(_ status: Int, _ fields: HTTPFields) -> TransferResponse {
        TransferResponse(
            status: status, version: .http1Dot1, headerFields: fields, finalURL: "", lengthIsKnown: true)
    }

    private func whole(_ length: Int) -> TransferResponse {
        var response = response(200, [:])
        response.contentLength = UInt64(length)
        return response
    }

    private func part(_ range: String) -> TransferResponse {
        var response = response(206, [:])
        response.contentRange = ContentRange("bytes \(range)")
        return response
    }

    private func accepts(_ response: TransferResponse, _ range: Range<UInt64>) -> Bool {
        if case .accept = ObjectSink(range, { _ in }).begin(response) { true } else { false }
    }

    @Test("takes a whole object from its first byte on, if it has all that was requested")
    func wholes() {
        #expect(accepts(whole(10), 0..<10) && accepts(whole(11), 0..<10))
        #expect(!accepts(whole(9), 0..<10) && !accepts(whole(10), 1..<10))
        #expect(accepts(response(200, [:]), 0..<10))
        #expect(!ObjectSink(0..<10) { _ in }.isShort)
    }

    @Test("takes a part of an object that is as long as what was requested")
    func parts() {
        #expect(accepts(part("5-9/10"), 5..<10) && accepts(part("0-9/*"), 0..<10))
        #expect(!accepts(part("5-8/9"), 5..<10))
    }

    @Test("keeps the beginning of the document of an error, and counts none of its bytes as the object's")
    func documents() throws {
        let sink = ObjectSink(0..<10) { _ in Issue.record("an error is no object") }
        guard case .accept = sink.begin(response(404, [.contentLength: "3"])) else {
            Issue.record("the document is read")
            return
        }
        let piece = [UInt8](repeating: 7, count: 40 << 10)
        for _ in 0..<2 { unsafe try sink.receive(piece.span.bytes) }
        let (answer, document) = try #require(sink.failedAnswer)
        #expect(answer.status == 404 && document.count == 64 << 10 && sink.received == 0)
        #expect(!sink.isShort)
    }

    @Test("counts the bytes that were handed on, and says why they were not taken")
    func counts() throws {
        struct Full: Error {}
        let left = Lock(2)
        let sink = ObjectSink(0..<10) { _ in
            guard
                left.withLock({
                    $0 -= 1; return $0 >= 0
                })
            else { throw Full() }
        }
        let few: [UInt8] = [1, 2, 3]
        _ = sink.begin(whole(10))
        for _ in 0..<2 { unsafe try sink.receive(few.span.bytes) }
        #expect(sink.received == 6 && sink.refusal == nil && sink.failedAnswer == nil)
        #expect(throws: Full.self) { unsafe try sink.receive(few.span.bytes) }
        #expect(sink.received == 6 && sink.refusal is Full)
    }
}
