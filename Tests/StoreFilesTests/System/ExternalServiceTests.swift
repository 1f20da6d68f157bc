import ModelTestSupport
import TestSupport
import Testing
import Transfers

@testable import StoreFiles
@testable import StoreModel

@Suite("A question to a service of the user", .timeLimit(.minutes(1)))
struct ExternalServiceTests {
    private let document = Array(#"{"a": 1}"#.utf8)
    private let loop: TransferLoop

    init() throws { loop = try TransferLoop() }

    private func ask(_ service: ExternalService) async throws(StoreError) -> String {
        let answer = try await service.ask(document, environment: ["A": "b"], loop: loop)
        return String(decoding: answer, as: UTF8.self)
    }

    @Test("is answered by a program, or fails with its status and last words")
    func program() async throws {
        let told = ExternalService(command: ["sh", "-c", "cat; printf %s $A"], url: "http://127.0.0.1:1/")
        #expect(try await ask(told) == #"{"a": 1}b"#)
        let error = await failure {
            _ = try await ask(ExternalService(command: ["sh", "-c", "echo why >&2; exit 3"]))
        }
        guard case .service("sh", 3?, said: "why"?)? = error?.code else {
            Issue.record("\(error?.text ?? "no error")")
            return
        }
    }

    @Test("is answered by a server of any address, or fails with its status")
    func server() async throws {
        let origin = try OriginServer()
        origin.serve("/ask", text: "yes")
        #expect(try await ask(ExternalService(url: origin.url("/ask"))) == "yes")
        let asked = try #require(origin.requests(for: "/ask").first)
        #expect(asked.method == "POST" && asked.body == document)
        #expect(asked.header("Content-Type") == "application/json")
        origin.fault("/ask", .status(404))
        let error = await failure { _ = try await ask(ExternalService(url: origin.url("/ask?key=1"))) }
        guard case .service(let place, 404?, said: nil)? = error?.code else {
            Issue.record("\(error?.text ?? "no error")")
            return
        }
        #expect(!place.contains("key=1"))
        origin.stop()
    }
}
