import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("Answers of an S3 store")
struct AnswerTests {
    private func response(_ status: Int, _ fields: HTTPFields = [:]) -> TransferResponse {
        TransferResponse(
            status: status, version: .http1Dot1, headerFields: fields, finalURL: "", lengthIsKnown: true)
    }

    private func sentence(_ code: S3Error.Code) -> String {
        S3Error(code: code, endpoint: "http://h", bucket: "media").sentence
    }

    @Test("on each day there has been and will be for a century are written and read as the same time")
    func days() {
        for day in 0..<54_000 as Range<Int64> {
            let seconds = day * 86_400 + day % 86_400
            let text = Array(SigningDate(seconds: seconds).text)
            let (date, clock) = (text[0..<8], text[9..<15])
            let parts = [date.prefix(4), date.dropFirst(4).prefix(2), date.suffix(2)].map { String($0) }
            let times = [clock.prefix(2), clock.dropFirst(2).prefix(2), clock.suffix(2)].map { String($0) }
            let listing = "\(parts.joined(separator: "-"))T\(times.joined(separator: ":"))Z"
            guard CalendarTime.seconds(ofListing: listing) == seconds else {
                Issue.record("\(listing) is not \(seconds)")
                return
            }
        }
    }

    @Test(
        "have days by the calendar",
        arguments: [
            ("1970-01-01", 0), ("1970-12-31", 364), ("1972-02-29", 789), ("1972-03-01", 790),
            ("1999-12-31", 10_956),
            ("2000-01-01", 10_957), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2023-02-28", 19_416),
            ("2023-03-01", 19_417), ("2100-02-28", 47_540), ("2100-03-01", 47_541),
        ])
    func calendar(date: String, days: Int64) {
        #expect(CalendarTime.seconds(ofListing: "\(date)T00:00:00Z") == days * 86_400)
        #expect(CalendarTime.seconds(ofListing: "\(date)T23:59:59.999Z") == days * 86_400 + 86_399)
        #expect(SigningDate(seconds: days * 86_400).day == date.filter { $0 != "-" })
    }

    @Test(
        "have no time that there is not",
        arguments: [
            "1969-12-31T00:00:00Z", "10000-01-01T00:00:00Z", "2000-00-01T00:00:00Z", "2000-13-01T00:00:00Z",
            "2000-01-00T00:00:00Z", "2000-01-32T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z",
            "2000-01-01T00:00:61Z", "2000-01-01T00:00Z", "2000-01-01T-1:00:00Z", "2000-01T00:00:00Z",
            "2000-01-01T00:00:00", "2000-01-01", "2000-01-01Z", "2000-01-01T00:00:00T00:00:00Z",
        ])
    func noTime(text: String) { #expect(CalendarTime.seconds(ofListing: text) == nil) }

    @Test(
        "have times of RFC 9110, and no others",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:01 GMT", 1), ("Tue, 31 Dec 2024 23:59:60 GMT", 1_735_689_600),
            ("Thu, 01 Jan 1970 00:00:01 UTC", nil), ("Thu, 01 Foo 1970 00:00:01 GMT", nil),
            ("Thu, x Jan 1970 00:00:01 GMT", nil), ("01 Jan 1970 00:00:01 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func fields(text: String, seconds: Int64?) { #expect(CalendarTime.seconds(ofField: text) == seconds) }

    @Test(
        "say how far the clock is off, in minutes, from one on",
        arguments: [
            (1, "1 min ahead of"), (59, "1 min ahead of"), (60, "1 min ahead of"), (119, "1 min ahead of"),
            (120, "2 min ahead of"), (-59, "1 min behind"), (-120, "2 min behind"), (0, "differ too much"),
            (nil, "differ too much"),
        ] as [(Int64?, String)])
    func clock(seconds: Int64?, words: String) {
        #expect(sentence(.clockSkew(seconds: seconds)).contains(words))
    }

    @Test(
        "without a reason are described by their status",
        arguments: [
            (301, "another region"), (307, "another region"), (403, "may not use"), (404, "no bucket"),
            (416, "shorter"), (507, "no room"), (500, "status 500"), (503, "status 503"), (400, "no reason"),
            (499, "no reason"),
        ])
    func statuses(status: Int, words: String) {
        let code = S3Answer.code(response(status), body: [], isAboutKey: false)
        #expect(sentence(code).contains(words))
    }

    @Test("about an object and about a bucket differ where nothing is there")
    func missing() {
        for body in ["", "<Error><Code>Other</Code></Error>"] {
            let codes = [true, false].map {
                S3Answer.code(response(404), body: Array(body.utf8), isAboutKey: $0)
            }
            #expect(codes.map { S3Error(code: $0, endpoint: "", bucket: "").isNoSuchKey } == [true, false])
        }
    }

    @Test("tell the region that the bucket is in")
    func region() throws {
        let name = try #require(HTTPField.Name("x-amz-bucket-region"))
        let code = S3Answer.code(response(301, [name: "eu-1"]), body: [], isAboutKey: false)
        #expect(sentence(code).contains("--s3-region eu-1"))
        let other = S3Answer.code(
            response(400), body: Array("<a><Code>Odd</Code></a>".utf8), isAboutKey: false)
        #expect(sentence(other).contains("with Odd (status 400)"))
    }

    @Test("are of the length where an object is short, and of nothing else")
    func lengths() {
        let codes: [S3Error.Code] = [
            .tooShort, .wrongLength(expected: 2, received: 1), .noSuchKey, .slowDown, .noSpace, .cancelled,
        ]
        let found = codes.map { S3Error(code: $0, endpoint: "", bucket: "").isOfLength }
        #expect(found == [true, true, false, false, false, false])
    }
}

@Suite("Places of an S3 store")
struct PlaceBorderTests {
    @Test(
        "have buckets of 3 to 63 letters, digits and signs",
        arguments: [
            ("ab", false), ("abc", true), (String(repeating: "a", count: 63), true),
            (String(repeating: "a", count: 64), false), ("a-b.c_9Z", true), ("a..b", false), ("a b", false),
            ("a/b", false),
        ])
    func buckets(name: String, isOne: Bool) {
        #expect(((try? S3Location("s3://\(name)", endpoint: "http://h")) != nil) == isOne)
    }

    @Test("have prefixes of 512 bytes of ASCII at most")
    func prefixes() {
        func isOne(_ prefix: String) -> Bool {
            (try? S3Location("s3://media/\(prefix)", endpoint: "http://h")) != nil
        }
        #expect(isOne(String(repeating: "a", count: 512)) && !isOne(String(repeating: "a", count: 513)))
        #expect(isOne("!~") && !isOne("a b") && !isOne("a\u{7F}") && !isOne("ä") && !isOne("a\u{1F}b"))
        #expect(!isOne("a/./b") && !isOne("a/../b") && !isOne("a//b") && isOne("a/b/") && isOne(""))
    }

    @Test(
        "have endpoints of a scheme and a host",
        arguments: [
            ("http://h", true), ("https://h:1/a", true), ("http://h\u{7F}", false), ("http://h h", false),
            ("http://:80", false), ("http://:9000", false), ("http://h#a", false), ("http:/h", false),
        ])
    func endpoints(endpoint: String, isOne: Bool) {
        #expect(((try? S3Location("s3://media", endpoint: endpoint)) != nil) == isOne)
    }
}

@Suite("Requests to an S3 store", .timeLimit(.minutes(1)))
struct RequestCountTests {
    private func client(_ origin: OriginServer, tries: Int = 3, partSize: UInt64 = 64 << 20) throws
        -> S3Client
    {
        S3Client(
            try S3Location("s3://media", endpoint: origin.url("")),
            credentials: S3Credentials(accessKey: "a", secretKey: "s"), authority: nil,
            loop: try S3Client.makeLoop(), retries: S3Retries(tries: tries, first: 0.001, longest: 0.002),
            partSize: partSize)
    }

    @Test(
        "are repeated for all tries if the store is unavailable, and sent once if it refuses",
        arguments: 1...3)
    func tries(count: Int) async throws {
        let origin = try OriginServer()
        for (status, wanted) in [(503, count), (403, 1)] {
            origin.clearFaults("/media/k")
            origin.forgetRequests()
            origin.fault("/media/k", .status(status))
            await #expect(throws: S3Error.self) {
                try await client(origin, tries: count).get("k", 0..<10) { _ in }
            }
            #expect(origin.requests(for: "/media/k").count == wanted)
        }
    }

    @Test("continue a broken download as long as each try brings more bytes")
    func goesOn() async throws {
        let origin = try OriginServer()
        let bytes = OriginResource.pattern(1000)
        origin.serve("/media/k", bytes: bytes)
        origin.fault("/media/k", .truncate(after: 100), times: 9)
        let received = Lock<[UInt8]>([])
        try await client(origin, tries: 1).get("k", 0..<1000) { fresh in
            unsafe fresh.withUnsafeBytes { piece in received.withLock { unsafe $0.append(contentsOf: piece) }
            }
        }
        #expect(received.withLock(\.self) == bytes)
        #expect(origin.requests(for: "/media/k").count == 10)
    }

    @Test("have an object whole up to the size of a part, and in parts beyond it")
    func parts() async throws {
        let (origin, folder) = (try OriginServer(), try TemporaryDirectory())
        for (size, first) in [(1000, "PUT"), (1001, "POST")] {
            origin.forgetRequests()
            let path = try folder.write(OriginResource.pattern(size), to: "file")
            try? await client(origin, tries: 1, partSize: 1000).put(
                file: path, size: UInt64(size), sha256: [UInt8](repeating: 0, count: 32), to: "k")
            #expect(origin.requests.first?.method == first)
        }
    }
}
