import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("A page in place of an answer")
struct PeoplePageTests {
    private static let html = [("Accept", "text/html,*/*;q=0.8")]

    private func problem(_ status: HTTPResponse.Status, retryAfter: Int? = nil) -> Problem {
        Problem(status: status, type: "standby", detail: "No <node>.", retryAfter: retryAfter)
    }

    @Test(
        "is wanted by people who open a page, not by programs",
        arguments: [
            ("GET", "/", true), ("HEAD", "/watch/x", true), ("POST", "/", false), ("OPTIONS", "/", false),
            ("GET", "/api/v1/assets", false), ("GET", "/assets/x/master.m3u8", false),
            ("GET", "/metrics", false), ("GET", "/healthz", false), ("GET", "/readyz", false),
        ])
    func wanted(method: String, path: String, isWanted: Bool) throws {
        let request = try Request.admitted(path, method: method, fields: Self.html)
        #expect(SignInPage.isWanted(by: request) == isWanted)
        let program = try Request.admitted(path, method: method)
        #expect(!SignInPage.isWanted(by: program))
    }

    @Test(
        "is loaded again when the store may be there, and not at once",
        arguments: [(nil, 2), (1, 2), (5, 5)] as [(Int?, Int)])
    func refresh(retryAfter: Int?, seconds: Int) {
        let response = WaitingPage(problem: problem(.serviceUnavailable, retryAfter: retryAfter)).response
        #expect(response.bodyText.contains(#"http-equiv="refresh" content="\#(seconds)""#))
        #expect(response.bodyText.contains("<p>No &lt;node&gt;.</p>"))
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "\(retryAfter ?? 1)")
    }

    @Test("is sent to people only, and only while the store can't be served")
    func waiting() throws {
        let person = try Request.admitted("/", fields: Self.html)
        let program = try Request.admitted("/")
        func contentType(_ status: HTTPResponse.Status, _ request: Request) -> String? {
            problem(status).waitingResponse(to: request).headers[.contentType]
        }
        #expect(contentType(.serviceUnavailable, person) == "text/html; charset=utf-8")
        #expect(contentType(.serviceUnavailable, program) == "application/problem+json")
        #expect(contentType(.badGateway, person) == "application/problem+json")
    }

    @Test("has the head with the way to the library, except where one signs in")
    func heads() {
        let signIn = SignInPage(path: "/watch/x").response
        #expect(signIn.status == .unauthorized && !signIn.bodyText.contains("class=\"brand\""))
        let missing = LibraryPage.noAsset("No <asset>.")
        #expect(missing.contains(#"<a class="brand" href="../">"#) && missing.contains("No &lt;asset&gt;."))
        let list = LibraryPage.page("Library", name: "library", root: "", body: "")
        #expect(list.contains(#"<a class="brand" href="./">"#))
    }

    @Test(
        "has its files as gzip for clients that accept it",
        arguments: [
            ("gzip", true), ("br, gzip", true), ("GZIP", true), ("gzip; q=0.5", true), ("gzip;q=1", true),
            ("gzip;q=0.001", true), ("br;q=0, gzip", true), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("br", false), ("xgzip", false), ("", false),
        ])
    func coding(field: String, isCompressed: Bool) throws {
        let resources = PageResources()
        let request = try Request.admitted("/app/app.css", fields: [("Accept-Encoding", field)])
        let response = resources.response(request, "app.css")
        #expect(response.status == .ok)
        #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        #expect(response.headers[.eTag]?.hasSuffix("-gzip\"") == isCompressed)
    }
}
