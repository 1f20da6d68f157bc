import AssetStore
import HTTPTypes
import Testing

@testable import APIDocuments
@testable import OfflineServer

/// The refusals of the API: each is a sentence with the fault and the advice.
@Suite("The detail of a problem document")
struct ProblemSentenceTests {
    private static let table: [(problem: Problem, status: Int, names: String, advises: String)] = [
        (.since, 400, "since", "must be"), (.limit, 400, "limit", "must be"),
        (.before, 400, "before", "must be"),
        (.expiring, 400, "expiring", "such as"), (.state("queud"), 400, "state", "queued"),
        (.repeated("limit"), 400, "limit", "keep one"),
        (.unknownItem("stat", known: ["state"]), 400, "stat", "did you mean \"state\"?"),
        (.unknownItem("x", known: ["state", "limit"]), 400, "\"x\"", "known are \"state\", \"limit\""),
        (.unknownItem("x", known: []), 400, "\"x\"", "no query item can be here"),
        (.body(JSONFault(.missing("url"), path: [])), 400, "url", "add it"),
        (.body(JSONFault(.repeated("url"), path: ["url"])), 400, "url", "keep one"),
        (.body(JSONFault(.syntax("a colon is missing"), path: [])), 400, "JSON", "colon"),
        (.badKey, 400, "Idempotency-Key", "must be"), (.keyOfMany, 400, "Idempotency-Key", "client_id"),
        (.twoKeys, 400, "client_id", "send one"), (.pending, 409, "key", "again"),
        (.starting, 503, "server", "again"), (TokenGate.refusal, 401, "token", "api-token"),
        (.methodNotAllowed("GET"), 405, "GET", "Only"),
    ]

    @Test("is a sentence with the fault and the advice")
    func sentences() {
        for (problem, status, name, advice) in Self.table {
            let detail = problem.detail
            #expect(problem.status.code == status, "\(detail)")
            #expect(detail.contains(name) && detail.contains(advice), "\(detail)")
            #expect(detail.hasSuffix(".") || detail.hasSuffix("?"), "\(detail)")
            #expect(detail.first?.isLowercase == false, "\(detail)")
            #expect(problem.document["detail"]?.string == detail)
        }
    }
}
