import AssetStore
import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("A problem document")
struct ProblemTests {
    @Test("of a temporary refusal names the time to come back", arguments: [nil, 60])
    func retry(seconds: Int?) {
        let problem = Problem(
            status: .serviceUnavailable, type: "stopped", detail: "It stops.", retryAfter: seconds)
        #expect(problem.response.headers[.retryAfter] == "\(seconds ?? 1)")
        #expect(Problem.notFound("Nothing.").response.headers[.retryAfter] == nil)
    }

    @Test("of too many open files asks to come back, and does not call the store broken")
    func tooManyFiles() {
        let response = StoreError(.tooManyFiles("/store/assets")).problem().response
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "1")
    }

    @Test("of stored media that can't be served is 404 for players")
    func media() throws {
        let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        for problem in [IntegrityProblem.undecryptable, .hash, .scheme("piff")] {
            let answer = StoreError(.integrity(problem)).mediaProblem(token)
            #expect(answer.status == .notFound && answer.type == "integrity")
        }
        #expect(StoreError(.diskFull("/store")).mediaProblem(token).status.code == 507)
    }

    @Test("of an error of the store names its code")
    func code() {
        let none = StoreError(.nothingSelected(wish: "audio xx", offered: [])).problem()
        #expect(none.code == "nothing-selected")
        #expect(StoreError(.key(.missing)).problem().code == "key")
        #expect(Problem.notFound("Nothing.").code == nil)
    }
}
