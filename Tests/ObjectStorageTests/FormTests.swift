import Crypto
import Testing

@testable import ObjectStorage

@Suite("The forms of S3")
struct FormTests {
    @Test("a place is a bucket with a prefix behind an endpoint")
    func places() throws {
        let place = try S3Location("s3://media/a/b/", endpoint: "HTTPS://S3.Example.org:443/base/")
        #expect(place.bucket == "media" && place.prefix == "a/b/" && place.host == "s3.example.org")
        #expect(place.path(of: "a/b/x y") == "/base/media/a/b/x%20y" && place.path(of: nil) == "/base/media/")
        let other = try S3Location("s3://media", endpoint: "http://h:9000", addressing: .host)
        #expect(other.prefix.isEmpty && other.host == "media.h:9000" && other.path(of: "k") == "/k")
        #expect(other.url("/k", "a=b") == "http://media.h:9000/k?a=b")
    }

    @Test(
        "a place that cannot be asked for is refused",
        arguments: [
            ("media", "http://h"), ("s3://", "http://h"), ("s3://a", "http://h"),
            ("s3://me/../dia", "http://h"),
            ("s3://media/../b", "http://h"), ("s3://media//b", "http://h"), ("s3://media", "h"),
            ("s3://media", "ftp://h"), ("s3://media", "http://"), ("s3://media", "http://u:p@h"),
            ("s3://media", "http://h?a"), ("s3://media/b c", "http://h"),
        ])
    func refusedPlaces(_ address: String, _ endpoint: String) {
        #expect(throws: S3Location.Problem.self) { try S3Location(address, endpoint: endpoint) }
    }

    @Test("credentials come from the environment and from the file of Amazon's command line")
    func credentials() {
        let both = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": ""]
        #expect(S3Credentials(environment: both) == S3Credentials(accessKey: "a", secretKey: "s"))
        #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a"]) == nil)
        let file = """
            # of the store
            [empty]
            [default]
            aws_access_key_id = a
            aws_secret_access_key=b/c=
            aws_session_token = t
            [other]
            aws_access_key_id = x
            aws_secret_access_key = y
            """
        let token = S3Credentials(accessKey: "a", secretKey: "b/c=", sessionToken: "t")
        #expect(S3Credentials(file: file) == token)
        #expect(S3Credentials(file: "[default]\naws_access_key_id = a\n") == nil)
    }

    @Test("credentials show no secret in any text")
    func secrets() {
        let credentials = S3Credentials(accessKey: "AK", secretKey: "geheim", sessionToken: "marke")
        var dumped = ""
        dump(credentials, to: &dumped)
        let texts = ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"]
        #expect(texts.allSatisfy { !$0.contains("geheim") && !$0.contains("marke") })
    }

    @Test("a document is read by the names of its elements")
    func documents() {
        let text = """
            <?xml version="1.0"?><!-- <a> --><s:Error xmlns:s="u"><Code>A &amp; B &#x2013;</Code>
            <Empty/><Next a="b">1</Next></s:Error>
            """
        let document = XMLText(Array(text.utf8))
        #expect(document.isWhole && document["Code"] == "A & B \u{2013}" && document["Empty"] == "")
        #expect(
            document.elements.map(\.path) == [["Error", "Code"], ["Error", "Empty"], ["Error", "Next"]])
        #expect(!XMLText(Array("<a><b>1</b>".utf8)).isWhole && !XMLText(Array("<a></b>".utf8)).isWhole)
        #expect(XMLText([]).elements.isEmpty && XMLText(Array("<<<&".utf8)).elements.isEmpty)
        #expect(!XMLText(Array(String(repeating: "<a>", count: 100_000).utf8)).isWhole)
        #expect(XMLText(Array("<a>\(XMLText.escaped("<&>'\"\r"))</a>".utf8))["a"] == "<&>'\"\r")
    }

    @Test("times of fields and of listings are read")
    func times() {
        #expect(CalendarTime.seconds(ofField: "Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(CalendarTime.seconds(ofListing: "1994-11-06T08:49:37.000Z") == 784_111_777)
        #expect(CalendarTime.seconds(ofListing: "2024-02-29T00:00:00Z") == 1_709_164_800)
        for text in ["", "1994-11-06", "1994-13-06T08:49:37Z", "1994-11-06T25:49:37Z", "x"] {
            #expect(
                CalendarTime.seconds(ofListing: text) == nil && CalendarTime.seconds(ofField: text) == nil)
        }
    }

    @Test(
        "base64 has the letters of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ text: String, _ letters: String) { #expect(Base64.text(text.utf8) == letters) }

    @Test("waits grow at random up to a limit, and are never shorter than the store asks for")
    func waits() {
        let all = S3Retries(first: 0.2, longest: 5, chance: { 1 })
        let none = S3Retries(first: 0.2, longest: 5, chance: { 0 })
        var slow = S3Error(code: .slowDown, endpoint: "", bucket: "")
        let waits = (1...8).map { all.delay(before: $0, after: slow) }
        #expect(waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5] && none.delay(before: 3, after: slow) == 0)
        slow.retryAfter = 7
        #expect(none.delay(before: 1, after: slow) == 7)
    }
}
