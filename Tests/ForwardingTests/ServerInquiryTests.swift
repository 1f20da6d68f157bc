import Forwarding
import HTTPTypes
import TestSupport
import Testing

@Suite("A question for the header fields of another server", .timeLimit(.minutes(1)))
struct ServerInquiryTests {
    private let origin: OriginServer
    private let inquiry: ServerInquiry
    private let name: HTTPField.Name

    init() throws {
        (origin, inquiry) = (try OriginServer(), try ServerInquiry())
        name = try #require(HTTPField.Name("Offline-Server-Node"))
        origin.serve("/healthz", text: "fine")
    }

    @Test("is sent with its own fields, and gets those of any answer", arguments: [200, 401, 503])
    func fields(status: Int) async throws {
        origin.fault("/healthz", .status(status, headers: ["Offline-Server-Node: 7"], body: "long"))
        let fields = await inquiry.fields(of: origin.url("/healthz"), sending: [name: "question"])
        #expect(fields?[name] == "7")
        let got = try #require(origin.requests.first)
        #expect(got.method == "GET" && got.header("Offline-Server-Node") == "question")
        await inquiry.stop()
    }

    @Test("goes to this server alone: a redirect is the answer")
    func redirect() async {
        origin.fault("/healthz", .redirect(to: "/other"))
        let fields = await inquiry.fields(of: origin.url("/healthz"), sending: [:])
        #expect(fields?[.location] == "/other" && origin.paths == ["/healthz"])
        await inquiry.stop()
    }

    @Test("gets nothing where no server is, or none that speaks HTTP")
    func nobody() async {
        origin.fault("/healthz", .raw("nonsense\r\n"))
        #expect(await inquiry.fields(of: origin.url("/healthz"), sending: [:]) == nil)
        origin.stop()
        #expect(await inquiry.fields(of: origin.url("/healthz"), sending: [:]) == nil)
        await inquiry.stop()
    }
}
