import Testing

@testable import Transfers

@Suite("A request")
struct RequestFormTests {
    private func refusal(_ change: (inout TransferRequest) -> Void) -> TransferError.Code? {
        var request = TransferRequest(url: "http://h/")
        change(&request)
        do throws(TransferError.Code) {
            try request.validate()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "has no control character in its header section",
        arguments: ["a\u{1F}b", "a\nb", "a\u{7F}", "\0"])
    func controls(_ text: String) {
        #expect(refusal { $0.userAgent = text } == .invalidRequest)
        #expect(refusal { $0.ifRange = text } == .invalidRequest)
        #expect(refusal { $0.proxy = text } == .invalidRequest)
        #expect(refusal { $0.cookies = [text] } == .invalidRequest)
    }

    @Test("may have blanks and everything else in it")
    func texts() {
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.userAgent = " a ~ é\u{80}" } == nil)
        #expect(refusal { $0.cookies = ["a=1; Path=/", " b"] } == nil)
    }

    @Test("can be made for a host of the web, and for nothing else")
    func addresses() {
        for url in ["http://h/", "https://h:1/a?b", "HTTP://h"] {
            #expect(TransferRequest.mayBeMade(for: url))
        }
        for url in ["", "h", "/a", "file:///a", "ftp://h/", "http://", "http://h:99999/"] {
            #expect(!TransferRequest.mayBeMade(for: url))
        }
    }

    @Test("is refused for the certificate when libcurl says so of TLS, and for nothing else")
    func untrusted() {
        func error(_ code: TransferError.Code, _ curl: Int?) -> TransferError {
            TransferError(code, url: "", curlCode: curl)
        }
        let refused = TransferError.certificateRefused
        #expect(error(.tls, refused).isUntrusted && !error(.tls, refused + 1).isUntrusted)
        #expect(!error(.tls, nil).isUntrusted && !error(.connect, refused).isUntrusted)
        #expect(!error(.tls, refused).isRetryable && error(.tls, TransferError.handshakeFailed).isRetryable)
    }
}
