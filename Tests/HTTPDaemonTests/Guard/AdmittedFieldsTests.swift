import Testing

@testable import HTTPDaemon

@Suite("The field lines of a request that has passed the front door")
struct AdmittedFieldsTests {
    /// The facts of a section with these lines, each without its end.
    private func admitted(_ lines: [String], host: String? = "a") throws -> AdmittedFields {
        let text = lines.map { "\($0)\r\n" }.joined() + "\r\n"
        let marked: [UInt8] = text.utf8.map { $0 == UInt8(ascii: ":") || $0 == 13 || $0 == 10 ? 0 : $0 }
        return AdmittedFields(try #require(FieldLines(marked)), host: host, isTooLong: false)
    }

    @Test("may be kept for later requests")
    func repeatable() throws {
        let fields = try admitted(["Host: a", "Accept: b"])
        #expect(fields.isRepeatable && !fields.isChunked)
    }

    @Test("are not kept if there is no Host, which HTTP/1.1 needs")
    func hostless() throws { #expect(try !admitted(["Accept: b"], host: nil).isRepeatable) }

    @Test("are not kept if they announce content, even an empty one", arguments: ["0", "2"])
    func length(value: String) throws {
        #expect(try !admitted(["Host: a", "content-LENGTH: \(value)"]).isRepeatable)
    }

    @Test("are not kept if the content comes in chunks")
    func chunked() throws {
        let fields = try admitted(["Host: a", "transfer-ENCODING: chunked"])
        #expect(fields.isChunked && !fields.isRepeatable)
    }

    @Test("are kept up to a size of 2 KiB", arguments: [(2048, true), (2049, false)])
    func size(count: Int, isKept: Bool) throws {
        // The name, a mark behind it, the value, two marks behind it, and two at the end.
        let fields = try admitted(["X:" + String(repeating: "y", count: count - 6)])
        #expect(fields.lines.bytes.count == count)
        #expect(fields.isRepeatable == isKept)
    }

    @Test(
        "make a request conditional by a Range or any If- field, in any case",
        arguments: [
            ("Range: x", false), ("RANGE: x", false), ("If-Match: x", false), ("if-range: x", false),
            ("If-Other: x", false), ("If: x", true), ("I: x", true), ("Rang: x", true), ("X-Range: x", true),
            ("Accept: range", true),
        ])
    func conditions(line: String, isUnconditional: Bool) throws {
        #expect(try admitted(["Host: a", line]).isUnconditional == isUnconditional)
    }

    @Test(
        "tell by an Origin or Sec-Fetch field that a page sent the request",
        arguments: [
            ("Origin: x", true), ("ORIGIN: x", true), ("Sec-Fetch-Site: x", true),
            ("sec-fetch-mode: x", true),
            ("Sec-Fetch: x", false), ("Sec-GPC: 1", false), ("Orig: x", false), ("X-Origin: x", false),
        ])
    func pages(line: String, comesFromPage: Bool) throws {
        #expect(try admitted(["Host: a", line]).comesFromPage == comesFromPage)
    }
}
