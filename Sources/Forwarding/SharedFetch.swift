internal import ASCII
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import StoreFiles
internal import StoreModel
internal import SystemPackage
internal import Transfers

/// The status and the header fields of an answer for all clients, without its bytes.
struct SharedHead: Sendable {
    /// The length of the bytes.
    let length: UInt64
    /// The entity tag as sent, with its quotes.
    let entityTag: String?
    /// The header fields that each client gets.
    let fields: HTTPFields

    var representation: Representation {
        Representation(size: length, entityTag: entityTag.flatMap { EntityTag($0) })
    }
}

/// One request to another server. Its answer is sent to several clients while it arrives.
final class SharedFetch: TransferSink {
    /// The answer is for one client alone, or has no known length.
    struct NotShared: Error {}

    let file: PartialFile
    /// The largest number of bytes that a shared answer may have.
    private let limit: UInt64
    private let head = Awaited<SharedHead?>()
    /// The object with the bytes, if the other server has named one in place of them.
    private let named = Lock<(object: NamedObject, head: SharedHead)?>(nil)

    init(_ path: FilePath, limit: UInt64) {
        file = PartialFile(at: path)
        self.limit = limit
    }

    /// The object from which the bytes have to be read; `nil` if the other server sends them itself.
    var object: NamedObject? { named.withLock { $0?.object } }

    func begin(_ response: TransferResponse) -> TransferDecision {
        let object = NamedObject(response.headerFields)
        guard let length = object?.size ?? response.contentLength, length <= limit, Self.isShared(response)
        else {
            head.set(nil)
            return .refuse(NotShared())
        }
        let found = SharedHead(
            length: length, entityTag: response.etag, fields: Self.fields(of: response.headerFields))
        if let known = named.withLock(\.self) { return again(found, known.head) }
        do throws(StoreError) { try file.create() } catch {
            head.set(nil)
            return .refuse(error)
        }
        file.expectedLength = length
        // Until the first bytes of an object are there, a refusal is still possible.
        if let object, object.size > 0 { named.withLock { $0 = (object, found) } } else { head.set(found) }
        return .accept
    }

    /// Takes the bytes from the other server after all, if they have the same length and tag, because clients know the
    /// header fields. Bytes that are still arriving have no tag.
    private func again(_ found: SharedHead, _ known: SharedHead) -> TransferDecision {
        guard found.length == known.length, found.entityTag == nil || found.entityTag == known.entityTag
        else {
            return .refuse(NotShared())
        }
        return .accept
    }

    func receive(_ bytes: RawSpan) throws {
        try file.append(bytes)
        if let known = named.withLock(\.self) { head.set(known.head) }
    }

    /// Whether the file has the bytes of the object: its hash is the entity tag.
    var isRight: Bool {
        guard let known = named.withLock(\.self), file.watermark == known.object.size else { return false }
        return known.head.entityTag == "\"\(Hexadecimal.text(file.sha256))\""
    }

    /// Throws the bytes of the object away. Clients that have got some of them see that their answer breaks off.
    func restart() throws(StoreError) {
        try file.restart()
        file.expectedLength = object?.size
    }

    /// The status and the header fields of the answer; `nil` if no answer can be shared. Called at the end of the
    /// transfer.
    func answer() async -> SharedHead? {
        head.set(nil)
        return await head.value
    }

    /// The response to a client; `nil` if the answer can't be shared. The last byte is sent only after the whole
    /// answer has arrived.
    func response(to request: Request) async -> Response? {
        guard let answer = await head.value else { return nil }
        let (arriving, length) = (ArrivingFile(file), answer.length)
        return answer.representation.response(to: request, headers: answer.fields, now: .now) { range in
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

    /// The header fields of an answer that are sent to every client.
    private static func fields(of all: HTTPFields) -> HTTPFields {
        all.reduce(into: HTTPFields()) { fields, field in
            if [.contentType, .cacheControl, .vary, .lastModified].contains(field.name) {
                fields.append(field)
            }
        }
    }
}
