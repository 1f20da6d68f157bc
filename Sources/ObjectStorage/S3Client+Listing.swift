internal import Transfers

/// A page of a listing.
package struct S3Page: Sendable {
    /// The objects in the order of their keys.
    package var objects: [S3Object]
    /// The key after which the next page begins; `nil` after the last one.
    package var next: String?
    /// The store's time, in seconds after 1970 began; `nil` when it does not say it.
    package var time: Int64?
}

extension S3Client {
    /// The lengths of all objects whose keys begin with `prefix`, by their keys.
    package func sizes(below prefix: String) async throws(S3Error) -> [String: UInt64] {
        var (sizes, after) = ([String: UInt64](), String?.none)
        repeat {
            let page = try await list(prefix, after: after)
            for object in page.objects { sizes[object.key] = object.size }
            after = page.next
        } while after != nil
        return sizes
    }

    /// The objects whose keys begin with `prefix`, up to a thousand.
    ///
    /// - Parameter after: the key before the first one.
    package func list(
        _ prefix: String = "", after: String? = nil, limit: Int = 1000
    ) async throws(S3Error) -> S3Page {
        var query = [
            ("list-type", "2"), ("max-keys", String(limit)), ("prefix", location.prefix + prefix),
        ]
        if let after { query.append(("start-after", location.prefix + after)) }
        let (response, body) = try await answer(
            S3Call(method: .get, query: query.map { (name: $0.0, value: $0.1) }))
        let document = XMLText(body)
        // A list that was cut would show less than there is.
        guard document.isWhole, document.elements.first?.path.first == "ListBucketResult" else {
            throw error(.unexpected("no listing", status: response.status))
        }
        let objects = objects(document)
        let isTruncated = document["IsTruncated"] == "true"
        return S3Page(
            objects: objects, next: isTruncated ? objects.last?.key : nil, time: S3Answer.time(of: response))
    }

    private func objects(_ document: XMLText) -> [S3Object] {
        var objects: [S3Object] = []
        for element in document.elements where element.parent == "Contents" {
            switch element.name {
            case "Key": objects.append(S3Object(key: element.text, size: 0, modified: .max))
            case "Size" where !objects.isEmpty: objects[objects.count - 1].size = UInt64(element.text) ?? 0
            case "LastModified" where !objects.isEmpty:
                objects[objects.count - 1].modified = CalendarTime.seconds(ofListing: element.text) ?? .max
            default: break
            }
        }
        // Some stores list keys of other places, too.
        return objects.filter { $0.key.hasPrefix(location.prefix) }.map {
            let key = String($0.key.dropFirst(location.prefix.count))
            return S3Object(key: key, size: $0.size, modified: $0.modified)
        }
    }

    /// Checks whether the place can be used: the bucket exists and may be listed.
    package func check() async throws(S3Error) { _ = try await list(limit: 1) }
}
