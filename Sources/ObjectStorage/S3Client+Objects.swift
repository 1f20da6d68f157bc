internal import ASCII
internal import Crypto
internal import Locking
internal import Transfers

/// Facts of a stored object.
package struct S3Object: Sendable, Hashable {
    /// Its key, without the prefix of the place.
    package var key: String
    package var size: UInt64
    /// The time of its last write, in seconds since 1970, by the store's clock.
    package var modified: Int64
}

extension S3Client {
    /// Writes an object of these bytes. When this returns, the store has all of them.
    package func put(_ bytes: [UInt8], to key: String) async throws(S3Error) {
        try await answer(
            S3Call(
                method: .put, key: key, body: .bytes(bytes), payloadHash: SignatureV4.hash(bytes)))
    }

    /// Writes an object of a file. When this returns, the store has all of it.
    ///
    /// - Parameters:
    ///   - size: the length of the file in bytes, and of the object.
    ///   - sha256: the hash of these bytes, which the store compares with the received ones.
    package func put(
        file path: String, size: UInt64, sha256: [UInt8], to key: String
    ) async throws(S3Error) {
        guard size <= partSize else { return try await putParts(file: path, size: size, to: key) }
        try await answer(
            S3Call(
                method: .put, key: key, body: .file(path: path, range: 0..<size),
                payloadHash: Hexadecimal.text(sha256)))
    }

    /// Reads an object, or a range of it, and passes its bytes on in order, each once. After a broken connection, the
    /// read resumes at the same byte. When this returns, all requested bytes have come.
    ///
    /// - Parameters:
    ///   - range: the requested bytes.
    ///   - isUrgent: whether it takes precedence over other requests.
    ///   - receive: is called on a thread of the client.
    /// - Throws: `tooShort` if the object ends before them.
    package func get(
        _ key: String, _ range: Range<UInt64>, isUrgent: Bool = false,
        into receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws(S3Error) {
        guard !range.isEmpty else { return }
        let progress = GetProgress(range.lowerBound)
        while true {
            let before = progress.position
            do throws(S3Error) {
                return try await retried { () async throws(S3Error) in
                    try await self.getOnce(
                        key, range, isUrgent: isUrgent, progress: progress, receive: receive)
                }
            } catch {
                // A try that brings bytes does not count as failed.
                guard error.isTemporary, progress.position > before else { throw error }
            }
        }
    }

    private func getOnce(
        _ key: String, _ range: Range<UInt64>, isUrgent: Bool, progress: GetProgress,
        receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws(S3Error) {
        let start = progress.position
        let sink = ObjectSink(start..<range.upperBound, receive)
        let part = TransferRange(offset: start, length: range.upperBound - start)
        defer { progress.position = start + sink.received }
        try await perform(S3Call(method: .get, key: key, range: part, isUrgent: isUrgent), into: sink)
        guard start + sink.received == range.upperBound else {
            throw error(.wrongLength(expected: range.upperBound - start, received: sink.received))
        }
    }

    /// The size of an object.
    package func head(_ key: String) async throws(S3Error) -> UInt64 {
        let (response, _) = try await answer(S3Call(method: .head, key: key))
        guard let length = response.contentLength else {
            throw error(.unexpected("no length", status: response.status))
        }
        return length
    }

    /// Deletes an object; a missing object is no error.
    package func delete(_ key: String) async throws(S3Error) {
        do throws(S3Error) {
            try await answer(S3Call(method: .delete, key: key))
        } catch {
            guard error.isNoSuchKey else { throw error }
        }
    }

    /// Keys that one request may delete.
    package static let largestDeletion = 1000

    /// Deletes up to `largestDeletion` objects; missing objects are no error.
    package func delete(_ keys: [String]) async throws(S3Error) {
        guard !keys.isEmpty else { return }
        let objects = keys.map { "<Object><Key>\(XMLText.escaped(location.prefix + $0))</Key></Object>" }
        let body = Array(
            "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>\(objects.joined())</Delete>"
                .utf8)
        let (response, answer) = try await answer(
            S3Call(
                method: .post, query: [("delete", "")],
                fields: [
                    ("content-md5", Base64.text(Insecure.MD5.hash(data: body))),
                    ("content-type", "application/xml"),
                ],
                body: .bytes(body), payloadHash: SignatureV4.hash(body)))
        let codes = XMLText(answer).elements.filter { $0.name == "Code" && $0.parent == "Error" }.map(\.text)
        guard let code = codes.first(where: { $0 != "NoSuchKey" }) else { return }
        throw error(code == "AccessDenied" ? .accessDenied : .unexpected(code, status: response.status))
    }
}

/// The number of bytes of an object that have arrived.
private final class GetProgress: Sendable {
    private let value: Lock<UInt64>

    init(_ position: UInt64) { value = Lock(position) }

    var position: UInt64 {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
