import HTTPTypes
import Testing

@testable import HTTPDaemon

/// RFC 9110, sections 13.1.1 and 13.1.2.
@Suite("Preconditions on a representation without an entity tag")
struct UntaggedPreconditionsTests {
    /// 1,000 bytes, modified at 08:49:37.
    private let untagged = Representation(size: 1000, lastModified: HTTPDate(seconds: 784_111_777))

    private func evaluate(_ fields: HTTPFields, method: HTTPRequest.Method = .get) -> PreconditionOutcome {
        Preconditions(method: method) { fields[$0] }
            .evaluate(untagged, now: HTTPDate(seconds: 1_795_000_000))
    }

    @Test("If-Match with tags fails, since none of them is its tag")
    func ifMatch() {
        for method: HTTPRequest.Method in [.get, .head, .put] {
            #expect(evaluate([.ifMatch: "\"t\""], method: method) == .failed)
            #expect(evaluate([.ifMatch: "\"\", \"t\""], method: method) == .failed)
        }
    }

    @Test("If-None-Match with tags holds, and leaves the range as it is")
    func ifNoneMatch() {
        for method: HTTPRequest.Method in [.get, .head, .put] {
            #expect(evaluate([.ifNoneMatch: "\"t\""], method: method) == .proceed)
        }
        #expect(evaluate([.ifNoneMatch: "W/\"t\"", .range: "bytes=0-9"]) == .partial(0..<10))
    }

    @Test("an asterisk stands for any representation, also for one without a tag")
    func asterisk() {
        #expect(evaluate([.ifMatch: "*"]) == .proceed)
        #expect(evaluate([.ifNoneMatch: "*"]) == .notModified)
        #expect(evaluate([.ifNoneMatch: "*"], method: .put) == .failed)
    }

    @Test("dates are ignored beside tags all the same")
    func dates() {
        let same = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(evaluate([.ifModifiedSince: same]) == .notModified)
        #expect(evaluate([.ifNoneMatch: "\"t\"", .ifModifiedSince: same]) == .proceed)
        #expect(evaluate([.ifUnmodifiedSince: same]) == .proceed)
        #expect(evaluate([.ifMatch: "\"t\"", .ifUnmodifiedSince: same]) == .failed)
    }
}
