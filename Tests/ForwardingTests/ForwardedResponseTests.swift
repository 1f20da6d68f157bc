import HTTPDaemon
import HTTPTypes
import Testing

@testable import Forwarding
@testable import Transfers

@Suite("The response that is made of another server's answer")
struct ForwardedResponseTests {
    private func response(_ status: Int, _ fields: HTTPFields) -> Response {
        let head = TransferResponse(
            status: status, version: .http1Dot1, headerFields: fields, finalURL: "http://a/",
            contentLength: 7, lengthIsKnown: true)
        return Response(head, body: ForwardedAnswer())
    }

    @Test("has no body if its status has none, and tells the length that a 304 tells")
    func noBody() throws {
        for (status, fields) in [(204, [:]), (304, [.contentLength: "7"])] as [(Int, HTTPFields)] {
            let response = response(status, fields)
            guard case .none = response.body else { throw CancellationError() }
            #expect(response.status.code == status && response.headers == fields)
        }
    }

    @Test("has a body of the known length otherwise", arguments: [200, 206, 404, 503])
    func body(status: Int) throws {
        let response = response(status, [.contentLength: "7"])
        guard case .stream(let length, _) = response.body else { throw CancellationError() }
        #expect(response.status.code == status && length == 7)
        #expect(response.headers.isEmpty)
    }

    @Test("has no field that is about the connection to the other server, nor its clock")
    func fields() throws {
        var fields: HTTPFields = [.cacheControl: "no-store", .connection: "close", .upgrade: "h2c"]
        for text in ["Date", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding"] {
            let name = try #require(HTTPField.Name(text))
            fields[name] = "x"
        }
        #expect(response(200, fields).headers == [.cacheControl: "no-store"])
    }
}

@Suite("A failure to pass a request on")
struct ForwardingErrorTests {
    @Test(
        "tells that the other server was not reached if it can't have received the request",
        arguments: [TransferError.Code.resolve, .connect, .tls, .timeout, .invalidURL, .addressRefused])
    func unreachable(code: TransferError.Code) {
        #expect(ForwardingError(TransferError(code, url: "")) == .unreachable)
    }

    @Test(
        "tells that the connection broke if the other server may have received the request",
        arguments: [
            TransferError.Code.stalled, .connectionLost, .invalidResponse, .cancelled, .stopped,
            .truncated(expected: 2, received: 1),
        ])
    func broken(code: TransferError.Code) {
        #expect(ForwardingError(TransferError(code, url: "")) == .broken)
    }
}
