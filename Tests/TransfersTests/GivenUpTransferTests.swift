import CCurl
import Testing

@testable import Transfers

@Suite("A transfer that libcurl gives up")
struct GivenUpTransferTests {
    /// The error that it ends with, after this head or none.
    private func error(
        of result: CURLcode, head: String? = nil, proxy: String? = nil
    ) throws -> TransferError? {
        var request = TransferRequest(url: "http://media.example/a.ts")
        request.proxy = proxy
        let url = try TransferURL(request.url)
        var found: TransferError?
        let transfer = Transfer(request, url: url, sink: RecordingSink()) { result in
            if case .failure(let error) = result { found = error }
        }
        let handle = try #require(EasyHandle())
        transfer.handle = handle
        if let head { #expect(transfer.takes(head: head)) }
        transfer.conclude(result)
        return found
    }

    @Test("is cut short after its head, and lost before it or within a redirect's body")
    func lost() throws {
        for result in [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM] {
            let cut = try error(of: result, head: "HTTP/1.1 200 OK\r\nContent-Length: 10")
            #expect(cut?.code == .truncated(expected: 10, received: 0))
            let redirected = try error(of: result, head: "HTTP/1.1 302 Found\r\nLocation: /b.ts")
            #expect(redirected?.code == .connectionLost)
            let early = try error(of: result)
            #expect(early?.code == .connectionLost)
        }
    }

    @Test("names its proxy when no connection was made in time, and not when one was lost")
    func proxies() throws {
        let proxy = "http://proxy.example:3128"
        let late = try error(of: CURLE_OPERATION_TIMEDOUT, proxy: proxy)
        #expect(late?.code == .timeout && late?.proxy == proxy)
        let lost = try error(of: CURLE_RECV_ERROR, proxy: proxy)
        #expect(lost?.code == .connectionLost && lost?.proxy == nil)
    }
}
