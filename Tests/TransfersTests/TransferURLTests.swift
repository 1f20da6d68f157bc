import Testing

@testable import Transfers

@Suite("URLs")
struct TransferURLTests {
    @Test("the parts of a URL are found, with the scheme's port by default")
    func parts() throws {
        let url = try TransferURL("HTTPS://User:Pass@Example.COM/a/b.ts?token=1#x")
        #expect(url.scheme == "https")
        #expect(url.host == "example.com")
        #expect(url.port == 443)
        #expect(url.origin == "https://example.com:443")
        #expect(url.isSecure)
    }

    @Test("spaces and non-ASCII characters of a path are percent-encoded, and encoded ones stay")
    func encoding() throws {
        #expect(try TransferURL("http://h/my segment.ts").text == "http://h/my%20segment.ts")
        #expect(try TransferURL("http://h/%C3%BC.ts").text == "http://h/%C3%BC.ts")
        #expect(try TransferURL("http://h/\u{FC}.ts").text.lowercased() == "http://h/%c3%bc.ts")
    }

    @Test(
        "other schemes are refused",
        arguments: ["file:///etc/passwd", "ftp://h/a", "gopher://h/", "skd://key", "rtmp://h/a"])
    func schemes(text: String) {
        #expect(throws: TransferError.Code.unsupportedScheme) { try TransferURL(text) }
    }

    @Test(
        "malformed URLs are refused",
        arguments: [
            "", "a.ts", "/a.ts", "http://", "http://h:99999/", "http://[::1/", "http://h/\r\nX: 1",
            "http://h/\u{0}",
        ])
    func malformed(text: String) {
        #expect(throws: TransferError.Code.invalidURL) { try TransferURL(text) }
    }

    @Test(
        "user, query and fragment are cut out, of malformed URLs too",
        arguments: [
            ("https://u:p@h/a?token=s#f", "https://h/a"), ("https://h?token=s", "https://h"),
            ("https://u:p@h", "https://h"), ("http://[::1]:8080/a#s", "http://[::1]:8080/a"),
            ("https://h/a@b?x", "https://h/a@b"), ("nonsense?s", "nonsense"),
            ("https://h/a?\u{301}token=s", "https://h/a"), ("https://u:p@\u{301}h/a", "https://\u{301}h/a"),
        ])
    func redaction(text: String, redacted: String) {
        #expect(TransferURL.redact(text) == redacted)
    }

    @Test("an error's sentence names reason and place, never the query or user")
    func errorDescription() async throws {
        let loop = try TransferLoop()
        let error = await #expect(throws: TransferError.self) {
            try await loop.fetch(TransferRequest(url: "http://u:secret@127.0.0.1:9/a.ts?token=secret"))
        }
        let sentence = try #require(error).description
        #expect(
            sentence
                == "Transfer of http://127.0.0.1:9/a.ts failed: its host is this server itself, or in a private network that a stream must not name"
        )
    }

    @Test("every code has a sentence of its own")
    func sentences() {
        let codes: [TransferError.Code] = [
            .invalidURL, .invalidRequest, .unsupportedScheme, .resolve, .connect, .addressRefused, .tls,
            .timeout,
            .stalled, .connectionLost, .invalidResponse, .tooLarge(limit: 1), .tooManyRedirects(limit: 1),
            .redirectRefused, .truncated(expected: 2, received: 1), .truncated(expected: nil, received: 1),
            .lengthMismatch(expected: 2, received: 1), .badContentLength, .wrongContentRange,
            .contentEncoding,
            .decompressionRatio, .refusedBySink, .sink, .cancelled, .stopped, .http(status: 404), .other,
        ]
        #expect(Set(codes.map { TransferError($0, url: "u").description }).count == codes.count)
    }
}
