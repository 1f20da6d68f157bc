@testable import Transfers

extension Transfer {
    /// A transfer that no loop has begun.
    static func unstarted(
        _ request: TransferRequest = TransferRequest(url: "http://media.example/a.ts"),
        into sink: any TransferSink = RecordingSink()
    ) throws -> Transfer {
        let url = try TransferURL(request.url)
        return Transfer(request, url: url, sink: sink) { _ in }
    }

    /// Gives it the lines of a head and the empty line after them; false when that ends it.
    func takes(head: String) -> Bool {
        let bytes = Array("\(head)\r\n\r\n".utf8)
        return unsafe bytes.withUnsafeBytes { unsafe receiveHeader($0) }
    }

    /// Gives it the next bytes of a body.
    func take(body: [UInt8]) -> Taken { unsafe receive(body.span.bytes) }
}
