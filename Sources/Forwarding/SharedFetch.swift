internal import HTTPDaemon
internal import HTTPTypes
internal import StoreFiles
internal import StoreModel
internal import SystemPackage
internal import Transfers

/// One request to another server. Its answer is sent to several clients while it arrives.
final class SharedFetch: TransferSink {
    /// The answer is for one client alone, or has no known length.
    struct NotShared: Error {}

    let file: PartialFile
    /// The largest number of bytes that a shared answer may have.
    private let limit: UInt64
    private let head = Awaited<TransferResponse?>()

    init(_ path: FilePath, limit: UInt64) {
        file = PartialFile(at: path)
        self.limit = limit
    }

    func begin(_ response: TransferResponse) -> TransferDecision {
        guard let length = response.contentLength, length <= limit, Self.isShared(response) else {
            head.set(nil)
            return .refuse(NotShared())
        }
        do throws(StoreError) { try file.create() } catch {
            head.set(nil)
            return .refuse(error)
        }
        file.expectedLength = length
        head.set(response)
        return .accept
    }

    func receive(_ bytes: RawSpan) throws { try file.append(bytes) }

    /// The status and the header fields of the answer; `nil` if no answer can be shared. Called at the end of the
    /// transfer.
    func answer() async -> TransferResponse? {
        head.set(nil)
        return await head.value
    }

    /// The response to a client; `nil` if the answer can't be shared. The last byte is sent only after the whole
    /// answer has arrived.
    func response(to request: Request) async -> Response? {
        guard let answer = await head.value, let length = answer.contentLength else { return nil }
        let arriving = ArrivingFile(file)
        return Self.representation(of: answer).response(
            to: request, headers: Self.fields(of: answer), now: .now
        ) { range in
            let range = range ?? 0..<length
            return .stream(
                length: range.upperBound - range.lowerBound,
                ArrivingBody(arriving, from: range.lowerBound, to: range.upperBound))
        }
    }

    /// Whether an answer may be given to other clients, too (RFC 9111, section 3).
    private static func isShared(_ response: TransferResponse) -> Bool {
        let control = (response.headerFields[.cacheControl] ?? "").lowercased().split(separator: ",").map {
            $0.filter { $0 != " " }
        }
        return response.status == 200 && response.contentEncoding == nil && control.contains("public")
            && !control.contains("no-store") && !control.contains("no-cache")
    }

    static func representation(of response: TransferResponse) -> Representation {
        Representation(
            size: response.contentLength, entityTag: response.etag.flatMap { EntityTag($0) })
    }

    /// The header fields of an answer that are sent to every client.
    static func fields(of response: TransferResponse) -> HTTPFields {
        response.headerFields.reduce(into: HTTPFields()) { fields, field in
            if [.contentType, .cacheControl, .vary, .lastModified].contains(field.name) {
                fields.append(field)
            }
        }
    }
}
