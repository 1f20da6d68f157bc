internal import Crypto
internal import HTTPTypes
internal import Locking
internal import Transfers

/// Compares an origin's resources with the stored versions.
extension Origin {
    /// The present state of a playlist.
    package enum PlaylistLook: Sendable {
        /// The playlist is still the known version.
        case unchanged
        case changed(bytes: [UInt8], url: String, version: Validator)
    }

    /// Units up to this size are fetched anew to be compared, in bytes.
    static let comparedLimit: UInt64 = 64 << 20

    /// Requests a playlist if it differs from a known version.
    package func look(at url: String, unless known: Validator?) async throws(StoreError) -> PlaylistLook {
        var request = request(url, for: .playlist)
        request.acceptedCoding = .gzip
        request.maximumBodyBytes = Self.playlistLimit
        if let etag = known?.etag { request.headerFields[.ifNoneMatch] = etag }
        if let date = known?.lastModified { request.headerFields[.ifModifiedSince] = date }
        do throws(TransferError) {
            let (result, bytes) = try await loop.fetch(request)
            let response = result.response
            if response.status == 304 { return .unchanged }
            guard (200..<300).contains(response.status) else {
                throw TransferError(.other, url: request.url)
            }
            return .changed(bytes: bytes, url: response.finalURL, version: Validator(response))
        } catch {
            throw StoreError(error, url: url)
        }
    }

    /// The version of a resource that the origin has now, asked for by its first byte: addresses that are signed for GET
    /// refuse HEAD. `nil` when it can't be told.
    package func version(of url: String) async -> Validator? {
        var request = request(url, for: .segment)
        request.range = TransferRange(offset: 0, length: 1)
        let sink = VersionSink()
        _ = try? await loop.perform(request, into: sink)
        return sink.version
    }

    /// The hash of a unit at the origin now; `nil` if it can't be fetched.
    package func digest(of unit: UnitRecord) async -> [UInt8]? {
        var request = request(unit.url, for: .segment)
        request.maximumBodyBytes = Self.comparedLimit
        if let range = unit.range {
            request.range = TransferRange(offset: range.offset, length: range.length)
        }
        guard let (result, bytes) = try? await loop.fetch(request),
            result.response.status == (unit.range == nil ? 200 : 206)
        else { return nil }
        return Array(SHA256.hash(data: bytes))
    }
}

/// Takes the head of an answer, and no more of it than a byte.
private final class VersionSink: TransferSink {
    private struct Enough: Error {}
    private let known = Lock<Validator?>(nil)

    var version: Validator? { known.withLock(\.self) }

    func begin(_ head: TransferResponse) -> TransferDecision {
        guard head.status == 200 || head.status == 206 else { return .refuse(Enough()) }
        var version = Validator(head)
        if head.contentEncoding != nil { version.total = nil }
        // A part may leave out how long the whole is.
        if head.status == 206 { version.total = head.contentRange?.total }
        known.withLock { $0 = version }
        return head.status == 206 ? .accept : .refuse(Enough())
    }

    func receive(_ bytes: RawSpan) throws {}
}
