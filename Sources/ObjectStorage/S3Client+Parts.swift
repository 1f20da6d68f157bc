internal import ASCII
internal import Crypto
internal import Transfers

/// Uploads large objects in parts: a part that fails is sent again without the others.
extension S3Client {
    /// Parts that an object may have.
    private static let largestCount: UInt64 = 10_000

    /// Sends a file in parts, one after the other, and has the store join them. After a failure the upload is
    /// aborted.
    func putParts(file path: String, size: UInt64, to key: String) async throws(S3Error) {
        let upload = try await beginParts(key)
        do throws(S3Error) {
            let length = max(partSize, (size + Self.largestCount - 1) / Self.largestCount)
            var tags: [String] = []
            for start in stride(from: 0, to: size, by: UInt64.Stride(length)) {
                let range = start..<min(start + length, size)
                tags.append(
                    try await putPart(file: path, range, of: key, upload: upload, number: tags.count + 1))
            }
            try await endParts(of: key, upload: upload, tags: tags)
        } catch {
            try? await abortParts(key, upload)
            throw error
        }
    }

    private func beginParts(_ key: String) async throws(S3Error) -> String {
        let (response, body) = try await answer(
            S3Call(method: .post, key: key, query: [("uploads", "")]))
        guard let upload = XMLText(body)["UploadId"], !upload.isEmpty else {
            throw error(.unexpected("no upload", status: response.status))
        }
        return upload
    }

    private func putPart(
        file path: String, _ range: Range<UInt64>, of key: String, upload: String, number: Int
    ) async throws(S3Error) -> String {
        let body = UploadBody.file(path: path, range: range)
        guard let hash = Self.hash(body) else {
            throw error(.transfer(TransferError(.unreadableBody, url: location.endpoint)))
        }
        let (response, _) = try await answer(
            S3Call(
                method: .put, key: key, query: [("partNumber", String(number)), ("uploadId", upload)],
                body: body, payloadHash: hash))
        guard let tag = response.etag else {
            throw error(.unexpected("no tag of a part", status: response.status))
        }
        return tag
    }

    private func endParts(of key: String, upload: String, tags: [String]) async throws(S3Error) {
        let parts = tags.enumerated().map {
            "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>\(XMLText.escaped($0.element))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        let call = S3Call(
            method: .post, key: key, query: [("uploadId", upload)],
            fields: [("content-type", "application/xml")],
            body: .bytes(body), payloadHash: SignatureV4.hash(body))
        do throws(S3Error) {
            try await retried { () async throws(S3Error) in
                let (response, answer) = try await self.answer(call)
                // A failure may come after a success was announced.
                guard XMLText(answer)["ETag"] != nil else {
                    throw self.error(S3Answer.code(response, body: answer, isAboutKey: true))
                }
            }
        } catch {
            // The answer to an earlier try may have got lost: then the upload is no more, and the object is there.
            guard error.isNoSuchKey else { throw error }
            _ = try await head(key)
        }
    }

    private func abortParts(_ key: String, _ upload: String) async throws(S3Error) {
        try await answer(S3Call(method: .delete, key: key, query: [("uploadId", upload)]))
    }

    /// Aborts unfinished uploads that were begun before a time, by machines that have died since.
    ///
    /// - Parameter time: seconds after 1970 began, by the store's clock.
    package func abortUploads(begunBefore time: Int64) async throws(S3Error) {
        let query = [(name: "uploads", value: ""), (name: "prefix", value: location.prefix)]
        let (_, body) = try await answer(S3Call(method: .get, query: query))
        for upload in Self.uploads(XMLText(body)) {
            guard let key = upload["Key"], key.hasPrefix(location.prefix), let name = upload["UploadId"],
                let begun = upload["Initiated"].flatMap(CalendarTime.seconds(ofListing:)), begun < time
            else { continue }
            do throws(S3Error) {
                try await abortParts(String(key.dropFirst(location.prefix.count)), name)
            } catch {
                guard error.isNoSuchKey else { throw error }
            }
        }
    }

    /// The uploads of a listing, each by the names of its elements. Stores list these in different orders.
    private static func uploads(_ listing: XMLText) -> [[String: String]] {
        var uploads: [[String: String]] = []
        for element in listing.elements where element.parent == "Upload" {
            if uploads.last?[element.name] != nil || uploads.isEmpty { uploads.append([:]) }
            uploads[uploads.count - 1][element.name] = element.text
        }
        return uploads
    }

    /// SHA-256 of a body in hexadecimal digits; `nil` when it can't be read.
    private static func hash(_ body: UploadBody) -> String? {
        var hash = SHA256()
        return body.read { hash.update(data: $0) } ? Hexadecimal.text(hash.finalize()) : nil
    }
}
