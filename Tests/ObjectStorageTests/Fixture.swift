import Crypto
import Foundation
import Locking
import TestSupport
import Transfers

@testable import ObjectStorage

/// A client of a real S3 server.
struct Fixture: Sendable {
    /// Runs as long as it is kept.
    let server: ObjectServer
    let client: S3Client
    let folder: TemporaryDirectory

    init(
        _ server: ObjectServer, prefix: String = "store", partSize: UInt64 = 64 << 20, tries: Int = 6,
        longest: Double = 0.02, change: (inout S3Credentials) -> Void = { _ in }, bucket: String? = nil,
        authority: String? = nil
    ) throws {
        self.server = server
        var credentials = S3Credentials(accessKey: server.accessKey, secretKey: server.secretKey)
        change(&credentials)
        let location = try S3Location(
            "s3://\(bucket ?? server.bucket)/\(prefix)", endpoint: server.endpoint)
        client = S3Client(
            location, credentials: credentials, authority: authority, loop: try S3Client.makeLoop(),
            retries: S3Retries(tries: tries, first: 0.01, longest: longest), partSize: partSize)
        folder = try TemporaryDirectory()
    }

    /// Writes a file and sends it as an object.
    func put(_ bytes: [UInt8], to key: String) async throws {
        let path = try folder.write(bytes, to: "file-\(key.hashValue)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await client.put(
            file: path, size: UInt64(bytes.count), sha256: Array(SHA256.hash(data: bytes)), to: key)
    }

    /// An object, or a part of it.
    func get(_ key: String, _ range: Range<UInt64>) async throws -> [UInt8] {
        let collected = Lock<[UInt8]>([])
        try await client.get(key, range) { fresh in
            unsafe fresh.withUnsafeBytes { bytes in collected.withLock { unsafe $0.append(contentsOf: bytes) }
            }
        }
        return collected.withLock { $0 }
    }

    /// Why a call fails; `nil` when it does not.
    func failure(_ call: (S3Client) async throws -> Void) async -> S3Error? {
        do {
            try await call(client)
            return nil
        } catch {
            return error as? S3Error
        }
    }

    /// Bytes that are the same for the same seed and differ for others.
    static func bytes(_ count: Int, seed: Int) -> [UInt8] {
        var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}
