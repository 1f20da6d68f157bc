import HTTPTypes
import Testing

@testable import HTTPDaemon

/// 1,000 bytes, tag "t", modified at 08:49:37.
private let representation = Representation(
    size: 1000, entityTag: EntityTag(strong: "t"), lastModified: HTTPDate(seconds: 784_111_777))
private let same = "Sun, 06 Nov 1994 08:49:37 GMT"
private let before = "Sun, 06 Nov 1994 08:49:36 GMT"
private let after = "Sun, 06 Nov 1994 08:49:38 GMT"

private func evaluate(
    _ fields: HTTPFields, method: HTTPRequest.Method = .get, of subject: Representation = representation,
    now: Int64 = 1_795_000_000
) -> PreconditionOutcome {
    Preconditions(method: method) { fields[$0] }.evaluate(subject, now: HTTPDate(seconds: now))
}

@Suite("Preconditions")
struct PreconditionsTests {
    @Test(
        "If-Match is compared strongly, and fails with 412",
        arguments: [
            ("\"t\"", .proceed), ("*", .proceed), ("\"a\", \"t\"", .proceed), ("\"a\"", .failed),
            ("W/\"t\"", .failed), ("t", .failed),
        ] as [(String, PreconditionOutcome)])
    func ifMatch(value: String, outcome: PreconditionOutcome) {
        #expect(evaluate([.ifMatch: value]) == outcome)
    }

    @Test(
        "If-Unmodified-Since fails with 412 for a representation that changed later",
        arguments: [
            (same, .proceed), (after, .proceed), (before, .failed), ("rubbish", .proceed),
            ("\(before), \(before)", .proceed),
        ] as [(String, PreconditionOutcome)])
    func ifUnmodifiedSince(value: String, outcome: PreconditionOutcome) {
        #expect(evaluate([.ifUnmodifiedSince: value]) == outcome)
    }

    @Test(
        "dates are ignored for a representation without Last-Modified (RFC 9110, sections 13.1.3 and 13.1.4)")
    func undated() {
        let undated = Representation(size: 1000, entityTag: EntityTag(strong: "t"))
        #expect(evaluate([.ifModifiedSince: after], of: undated) == .proceed)
        #expect(evaluate([.ifUnmodifiedSince: before], of: undated) == .proceed)
    }

    @Test(
        "If-None-Match is compared weakly, and gives 304",
        arguments: [
            ("\"t\"", .notModified), ("W/\"t\"", .notModified), ("*", .notModified),
            ("\"a\",\"t\"", .notModified),
            ("\"a\"", .proceed), ("t", .proceed),
        ] as [(String, PreconditionOutcome)])
    func ifNoneMatch(value: String, outcome: PreconditionOutcome) {
        #expect(evaluate([.ifNoneMatch: value]) == outcome)
    }

    @Test("If-None-Match gives 412 for a method that changes something")
    func ifNoneMatchPut() { #expect(evaluate([.ifNoneMatch: "*"], method: .put) == .failed) }

    @Test(
        "If-Modified-Since gives 304 for an unchanged representation",
        arguments: [
            (same, .notModified), (after, .notModified), (before, .proceed), ("rubbish", .proceed),
        ] as [(String, PreconditionOutcome)])
    func ifModifiedSince(value: String, outcome: PreconditionOutcome) {
        #expect(evaluate([.ifModifiedSince: value]) == outcome)
        #expect(evaluate([.ifModifiedSince: value], method: .put) == .proceed)
    }

    @Test("tags take precedence over dates")
    func precedence() {
        #expect(evaluate([.ifNoneMatch: "\"a\"", .ifModifiedSince: after]) == .proceed)
        #expect(evaluate([.ifMatch: "\"t\"", .ifUnmodifiedSince: before]) == .proceed)
        #expect(evaluate([.ifMatch: "\"a\"", .ifNoneMatch: "\"t\""]) == .failed)
        #expect(evaluate([.ifMatch: "\"t\"", .ifNoneMatch: "\"t\""]) == .notModified)
        #expect(evaluate([.ifUnmodifiedSince: before, .ifNoneMatch: "\"t\""]) == .failed)
    }

    @Test("come before the range")
    func beforeRange() {
        #expect(evaluate([.ifNoneMatch: "\"t\"", .range: "bytes=0-1"]) == .notModified)
        #expect(evaluate([.ifMatch: "\"a\"", .range: "bytes=5000-"]) == .failed)
    }

    @Test("that hold leave the range as it is (RFC 9110, section 13.2.2)")
    func holding() {
        for fields: HTTPFields in [
            [.ifMatch: "\"t\""], [.ifMatch: "*"], [.ifUnmodifiedSince: same], [.ifNoneMatch: "\"a\""],
            [.ifModifiedSince: before], [.ifMatch: "\"t\"", .ifNoneMatch: "\"a\""],
            [.ifNoneMatch: "\"a\"", .ifModifiedSince: after], [.ifMatch: "\"t\"", .ifRange: "\"t\""],
        ] {
            var fields = fields
            fields[.range] = "bytes=0-9"
            #expect(evaluate(fields) == .partial(0..<10), "\(fields)")
        }
    }

    @Test(
        "If-Range is ignored without a range, and for a representation without ranges (RFC 9110, section 13.1.5)"
    )
    func ifRangeAlone() {
        for validator in ["\"t\"", "\"a\"", same, before] {
            #expect(evaluate([.ifRange: validator]) == .proceed)
            let growing = Representation(size: nil, entityTag: EntityTag(strong: "t"))
            #expect(evaluate([.ifRange: validator, .range: "bytes=0-9"], of: growing) == .proceed)
        }
    }

    @Test(
        "If-Range keeps the range only with the current strong validator (nginx range_if_range.t)",
        arguments: [
            ("\"t\"", true), ("W/\"t\"", false), ("\"a\"", false), ("t", false), ("", false), (same, true),
            (before, false), (after, false), ("\"t\", \"t\"", false),
        ])
    func ifRange(value: String, isKept: Bool) {
        #expect(evaluate([.ifRange: value, .range: "bytes=0-9"]) == (isKept ? .partial(0..<10) : .proceed))
    }

    @Test(
        "If-Range that does not hold leaves no range to fail: everything is served (RFC 9110, section 14.2)")
    func ifRangeOutside() {
        for validator in ["\"a\"", "W/\"t\"", "t", before, after] {
            #expect(evaluate([.ifRange: validator, .range: "bytes=1000-"]) == .proceed, "\(validator)")
        }
        for validator in ["\"t\"", same] {
            #expect(evaluate([.ifRange: validator, .range: "bytes=1000-"]) == .rangeNotSatisfiable)
        }
    }

    @Test("If-Range with a weak tag or without validators serves everything")
    func ifRangeWeak() {
        let weak = Representation(size: 1000, entityTag: EntityTag("W/\"t\""))
        #expect(evaluate([.ifRange: "W/\"t\"", .range: "bytes=0-9"], of: weak) == .proceed)
        #expect(
            evaluate([.ifRange: "\"t\"", .range: "bytes=0-9"], of: Representation(size: 1000)) == .proceed)
        #expect(evaluate([.ifRange: same, .range: "bytes=0-9"], of: Representation(size: 1000)) == .proceed)
    }

    @Test("If-Range with the date of this very second serves everything")
    func ifRangeFresh() {
        #expect(evaluate([.ifRange: same, .range: "bytes=0-9"], now: 784_111_777) == .proceed)
    }

    @Test("a range is for GET, for a known size, and else ignored")
    func range() {
        #expect(evaluate([.range: "bytes=0-9"]) == .partial(0..<10))
        for method: HTTPRequest.Method in [.head, .put, .post, .delete] {
            #expect(evaluate([.range: "bytes=0-9"], method: method) == .proceed)
        }
        #expect(evaluate([.range: "bytes=0-9"], of: Representation(size: nil)) == .proceed)
        #expect(evaluate([.range: "bytes=1000-"]) == .rangeNotSatisfiable)
        #expect(evaluate([.range: "lines=0-9"]) == .proceed)
        #expect(evaluate([:]) == .proceed)
    }
}
