internal import FoundationEssentials
internal import HLSPlaylist
internal import HTTPTypes
package import Transfers

extension ExternalService {
    /// Asks with a JSON document; returns the answer's bytes.
    ///
    /// - Throws: `service` when the program failed or the server did not answer with success.
    package func ask(_ document: [UInt8], environment: [String: String], loop: TransferLoop)
        async
        throws(StoreError) -> [UInt8]
    {
        if let command, !command.isEmpty {
            let outcome = await ExternalCommand(words: command, environment: environment).run(input: document)
            guard outcome.status == 0 else {
                throw StoreError(.service(command[0], outcome.status, said: outcome.lastWords))
            }
            return outcome.output
        }
        var request = TransferRequest(url: url ?? "", method: .post(body: document))
        request.headerFields[.contentType] = "application/json"
        request.allowsPrivateAddresses = true
        request.maximumBodyBytes = UInt64(ExternalCommand.outputLimit)
        let (status, bytes) = try await Self.post(request, loop)
        guard (200..<300).contains(status) else {
            throw StoreError(.service(URIReference(request.url).redacted, Int32(status), said: nil))
        }
        return bytes
    }

    private static func post(_ request: TransferRequest, _ loop: TransferLoop) async throws(StoreError) -> (
        Int, [UInt8]
    ) {
        do throws(TransferError) {
            let (result, bytes) = try await loop.fetch(request)
            return (result.response.status, bytes)
        } catch {
            throw StoreError(error, url: request.url)
        }
    }
}
