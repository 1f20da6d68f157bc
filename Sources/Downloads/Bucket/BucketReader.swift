internal import ObjectStorage

/// Reads objects of a bucket on a node that does not have the store open.
package final class BucketReader: Sendable {
    private let client: S3Client

    /// Makes a reader that tries each request only once. If a request fails, the active node sends the bytes.
    package init(_ settings: BucketMedia.Settings) throws(StoreError) {
        client = try settings.makeClient(retries: S3Retries(tries: 1))
    }

    /// Passes the bytes of an object on in order. When this returns, all of them have come.
    ///
    /// - Parameters:
    ///   - key: its key, as in `StoredObject`.
    ///   - size: its length in bytes.
    ///   - receive: is called on another thread.
    package func read(
        _ key: String, size: UInt64, into receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws(StoreError) {
        do throws(S3Error) {
            try await client.get(key, 0..<size, isUrgent: true, into: receive)
        } catch {
            throw StoreError(error)
        }
    }

    /// Ends all reads; later ones fail.
    package func stop() async { await client.stop() }
}
