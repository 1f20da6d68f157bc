internal import HLSPlaylist
internal import HTTPTypes
internal import Locking
package import Transfers

/// The facts that tell two versions of a resource apart (RFC 9110, section 8.8).
package struct Validator: Sendable, Codable, Equatable {
    package var etag: String?
    package var lastModified: String?
    package var total: UInt64?

    package init(etag: String? = nil, lastModified: String? = nil, total: UInt64? = nil) {
        (self.etag, self.lastModified, self.total) = (etag, lastModified, total)
    }

    package init(_ head: TransferResponse) {
        etag = head.etag
        lastModified = head.lastModified
        total = head.contentRange?.total ?? head.contentLength
    }

    /// Whether both are of one version: by the entity tag, otherwise by the date, and never with different totals. A
    /// partial response may lack date and total (RFC 9110, section 15.3.7).
    package func isSameVersion(as other: Validator) -> Bool {
        if let total, let theirs = other.total, total != theirs { return false }
        if let etag { return etag == other.etag }
        return lastModified == other.lastModified
    }

    /// Whether it has more than a length.
    package var isNamed: Bool { etag != nil || lastModified != nil }

    /// The value for If-Range: a strong entity tag, else a date.
    package var ifRange: String? {
        if let etag, !etag.hasPrefix("W/") { return etag }
        return etag == nil ? lastModified : nil
    }
}
