internal import ObjectStorage
package import SystemPackage
internal import Transfers

/// Carries whole files into a bucket and out of it, for a store that moves. It knows neither a catalog nor a cache.
package final class BucketCarrier: Sendable {
    private let client: S3Client
    /// The bucket as a URL.
    package let place: String

    package init(_ settings: BucketMedia.Settings) throws(StoreError) {
        do {
            client = S3Client(
                settings.location, credentials: settings.credentials, authority: settings.authority,
                loop: try S3Client.makeLoop(), retries: settings.retries)
        } catch {
            throw StoreError(.bucket(error.sentence, isTemporary: false))
        }
        place = settings.place
    }

    /// Ends all requests.
    package func stop() async { await client.stop() }

    /// Whether the bucket has no object with the prefix of its place.
    package func isEmpty() async throws(StoreError) -> Bool {
        do throws(S3Error) {
            return try await client.list(limit: 1).objects.isEmpty
        } catch {
            throw StoreError(error)
        }
    }

    /// The lengths of an asset's objects, by their keys.
    package func sizes(of token: AssetToken) async throws(StoreError) -> [String: UInt64] {
        do throws(S3Error) { return try await client.sizes(below: "\(token)/") } catch {
            throw StoreError(error)
        }
    }

    /// Writes an object of a file. When this returns, the bucket has all of it, with this hash.
    package func upload(
        _ file: FilePath, size: UInt64, sha256: [UInt8], to key: String
    ) async throws(StoreError) {
        do throws(S3Error) {
            try await client.put(file: file.string, size: size, sha256: sha256, to: key)
        } catch {
            throw StoreError(error)
        }
    }

    /// Writes the file of an object, durably but for the name in its folder. An object with other bytes is read twice.
    ///
    /// - Returns: the fault for which there is no file; `nil` without one.
    package func download(
        _ key: String, size: UInt64, sha256: [UInt8], to path: FilePath
    ) async throws(StoreError) -> UnitFinding? {
        let folder = path.parent
        let file = PartialFile(at: folder.appending(".\(path.name).fill"))
        do throws(StoreError) {
            try file.create()
            let fault = try await fetch(key, size: size, sha256: sha256, into: file)
            if fault == nil {
                try file.synchronize()
                try FileSystem.rename(file.path, to: path)
            } else {
                try FileSystem.unlink(file.path)
            }
            file.finish(.complete)
            return fault
        } catch {
            try? FileSystem.unlink(file.path)
            file.finish(.failed(error))
            throw error
        }
    }

    private func fetch(
        _ key: String, size: UInt64, sha256: [UInt8], into file: PartialFile
    ) async throws(StoreError) -> UnitFinding? {
        for _ in 0..<2 {
            if file.watermark > 0 { try file.restart() }
            do throws(S3Error) {
                try await client.get(key, 0..<size) { bytes in try file.append(bytes) }
            } catch {
                if error.isNoSuchKey { return .gone }
                if case .receiver(let refusal) = error.code, let refusal = refusal as? StoreError {
                    throw refusal
                }
                guard error.isOfLength else { throw StoreError(error) }
            }
            if file.sha256 == sha256 { return nil }
        }
        return .damaged
    }
}
