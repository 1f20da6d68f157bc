internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// The client IDs of requests in progress, so that the same request is not carried out twice at the same time.
final class PendingRequests: Sendable {
    private let ids = Lock<Set<String>>([])

    /// Returns whether no other request with this ID is in progress.
    func begin(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }

    func end(_ id: String) { ids.withLock { _ = $0.remove(id) } }
}

/// The idempotency key of a request (draft-ietf-httpapi-idempotency-key-header).
enum IdempotencyKey {
    /// The Idempotency-Key of a request: a string of structured fields (RFC 9651); the quotation marks may be left
    /// out.
    ///
    /// - Returns: `nil` without one; a problem if it is not valid.
    static func of(_ request: Request) -> Result<String, BadKey>? {
        guard let field = request.header(.idempotencyKey) else { return nil }
        var text = field[...]
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        let isKey =
            (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        return isKey ? .success(String(text)) : .failure(BadKey())
    }

    /// The field value is not a valid key.
    struct BadKey: Error {}
}

extension Problem {
    /// An Idempotency-Key that is not valid.
    static let badKey = Problem(
        status: .badRequest, type: "idempotency-key",
        detail: "Idempotency-Key must be 1 to 200 visible characters of ASCII, in quotation marks or without."
    )

    /// An Idempotency-Key in a request for several downloads.
    static let keyOfMany = Problem(
        status: .badRequest, type: "idempotency-key",
        detail: "Idempotency-Key is for one download; give each of several a \"client_id\" of its own.")

    /// An Idempotency-Key that differs from `client_id` in the body.
    static let twoKeys = Problem(
        status: .badRequest, type: "idempotency-key",
        detail: "Idempotency-Key and \"client_id\" differ; send one of them.", pointer: "/client_id")

    /// Another request with this key is in progress.
    static let pending = Problem(
        status: .conflict, type: "idempotency-key",
        detail: "The request with this key is being done; send it again in a moment to get its answer.",
        retryAfter: 1)
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifNoneMatch
}
