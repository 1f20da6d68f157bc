package import HTTPTypes
internal import Transfers

/// Asks other servers for the header section of an answer.
package final class ServerInquiry: Sendable {
    private let loop: TransferLoop

    /// - Throws: `unreachable` if there is no memory or thread for the transfers.
    package init() throws(ForwardingError) {
        do throws(TransferError) { loop = try TransferLoop(configuration: TransferLoopConfiguration()) } catch
        {
            throw .unreachable
        }
    }

    /// The header fields of the answer to a GET request; `nil` if the server can't be reached within some seconds.
    package func fields(of url: String, sending fields: HTTPFields) async -> HTTPFields? {
        let sink = AnswerHead()
        var request = ForwardedRequest.own(url, fields: fields)
        request.stallTimeout = .seconds(5)
        _ = try? await loop.perform(request, into: sink)
        return sink.response?.headerFields
    }

    package func stop() async { await loop.stop() }
}
