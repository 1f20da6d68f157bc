import Testing

@testable import Licensing
@testable import StoreModel

@Suite("The answers of key providers")
struct AnswerFormTests {
    @Test(
        "has times of RFC 3339, with and without fractions",
        arguments: [
            ("2026-01-01T00:00:00Z", 1_767_225_600_000), ("2026-01-01T00:00:00.25Z", 1_767_225_600_250),
            ("2026-01-01T01:00:00+01:00", 1_767_225_600_000),
            ("2026-01-01T01:00:00.5+01:00", 1_767_225_600_500), ("1970-01-01T00:00:00Z", 0),
            ("2026-01-01", nil),
            ("tomorrow", nil), ("", nil),
        ] as [(String, Int64?)])
    func times(_ text: String, _ milliseconds: Int64?) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(
        "has base64 of either alphabet, with or without padding",
        arguments: [
            ("AA==", [0]), ("AA", [0]), ("AAA=", [0, 0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]),
            ("+/8=", [251, 255]),
            ("-_8", [251, 255]), ("", []), ("A", nil), ("A!", nil),
        ] as [(String, [UInt8]?)])
    func base64(_ text: String, _ bytes: [UInt8]?) {
        #expect(KeyBytes.base64(text) == bytes)
    }

    @Test(
        "has a key of the stream's length, and one of any length if it has a type of its own",
        arguments: [
            (#"{"key": "AAAAAAAAAAAAAAAAAAAAAA=="}"#, 16), (#"{"key": "AAAAAAAAAAAAAAAAAAAA"}"#, nil),
            (#"{"key": "AAAAAAAAAAAAAAAAAAAA", "content_type": "application/x-own"}"#, 15),
        ] as [(String, Int?)])
    func length(_ text: String, _ length: Int?) throws {
        let answer = KeyProviderAnswer(
            nil, provider: "p", now: Timestamp(milliseconds: 1_000_000), keyLength: 16)
        if let length {
            #expect(try answer.key(in: Array(text.utf8)).bytes.count == length)
        } else {
            #expect(throws: StoreError.self) { _ = try answer.key(in: Array(text.utf8)) }
        }
    }

    @Test(
        "has the time of a renewal in seconds from now, since 1970 when they are many, or as text",
        arguments: [
            ("0.5", 1_000_500), ("3600", 4_600_000), ("1000000000", 1_000_001_000_000),
            ("1000000001", 1_000_000_001_000), ("99999999999", 99_999_999_999_000), ("100000000000", nil),
            ("0", nil), ("-1", nil), ("\"1970-01-01T00:00:01Z\"", 1000), ("\"soon\"", nil), ("null", nil),
            ("[]", nil),
        ] as [(String, Int64?)])
    func renewal(_ date: String, _ milliseconds: Int64?) throws {
        let answer = KeyProviderAnswer(
            nil, provider: "p", now: Timestamp(milliseconds: 1_000_000), keyLength: 16)
        let text = "{\"key\": \"AAAAAAAAAAAAAAAAAAAAAA==\", \"renewal_date\": \(date)}"
        #expect(try answer.key(in: Array(text.utf8)).renewAt?.milliseconds == milliseconds)
    }
}
