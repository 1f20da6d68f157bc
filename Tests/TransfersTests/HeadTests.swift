import Testing

@testable import Transfers

@Suite("Response heads")
struct HeadTests {
    /// The response these lines make.
    static func response(_ lines: String..., isHead: Bool = false, now: Int = 0) -> TransferResponse? {
        var head = ResponseHead()
        var isFinal = false
        for line in lines + [""] {
            isFinal = head.take(Array("\(line)\r\n".utf8)[...])
        }
        return isFinal ? head.response(finalURL: "http://h/", isHead: isHead, now: now) : nil
    }

    @Test("status, version and fields are read; a continued line is joined")
    func fields() throws {
        let response = try #require(
            HeadTests.response(
                "HTTP/2 200", "etag: W/\"1\"", "x-long: a", "  b", "no colon", "content-type:text/vtt "))
        #expect(response.status == 200)
        #expect(response.version == .http2)
        #expect(response.etag == "W/\"1\"")
        #expect(response.contentType == "text/vtt")
        #expect(response.headerFields.count == 3)
        #expect(response.lengthIsKnown)
    }

    @Test("a 1xx head is not final; the next one stands alone")
    func informational() {
        #expect(HeadTests.response("HTTP/1.1 103 Early Hints", "Link: x") == nil)
    }

    @Test("a body of HTTP/1.0 without a length has no known end; that of a HEAD, 204 or 304 is empty")
    func knownLength() {
        #expect(HeadTests.response("HTTP/1.0 200 OK")?.lengthIsKnown == false)
        #expect(HeadTests.response("HTTP/1.0 200 OK", isHead: true)?.lengthIsKnown == true)
        #expect(HeadTests.response("HTTP/1.1 204 No Content")?.lengthIsKnown == true)
        #expect(HeadTests.response("HTTP/1.1 304 Not Modified")?.lengthIsKnown == true)
    }

    @Test("chunks win over Content-Length (RFC 9112, 6.3)")
    func chunkedAndLength() {
        let response = HeadTests.response(
            "HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked")
        #expect(response?.contentLength == nil)
        #expect(response?.lengthIsKnown == true)
    }

    @Test(
        "Retry-After is a number or a date, held in an hour",
        arguments: [
            ("0", 0), ("5", 5), ("3600", 3600), ("99999999", 3600), ("99999999999999999999", 3600),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Fri, 06 Nov 2195 08:00:00 GMT", 3600),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ])
    func retryAfter(value: String, seconds: Int) {
        let response = HeadTests.response("HTTP/1.1 503 X", "Retry-After: \(value)", now: 784_111_777)
        #expect(response?.retryAfter == seconds)
    }

    @Test("a malformed Retry-After is ignored", arguments: ["-3", "5s", "soon", "1.5", "GMT"])
    func malformedRetryAfter(value: String) {
        #expect(HeadTests.response("HTTP/1.1 503 X", "Retry-After: \(value)")?.retryAfter == nil)
    }

    @Test("Content-Range is read in its three forms")
    func contentRange() {
        #expect(ContentRange("bytes 0-99/1000") == ContentRange(positions: 0...99, total: 1000))
        #expect(ContentRange("Bytes 5-5/*") == ContentRange(positions: 5...5, total: nil))
        #expect(ContentRange("bytes */0") == ContentRange(positions: nil, total: 0))
    }

    @Test(
        "a malformed Content-Range is ignored",
        arguments: [
            "", "bytes", "bytes 0-99", "bytes 0-99/99", "bytes 9-0/10", "bytes */*", "bytes -5/10",
            "bytes 0-/10",
            "bytes 0-1/2/3", "bytes  0-1/2", "octets 0-1/2", "bytes 0-18446744073709551615/*", "bytes +0-1/2",
        ])
    func malformedContentRange(value: String) { #expect(ContentRange(value) == nil) }
}
