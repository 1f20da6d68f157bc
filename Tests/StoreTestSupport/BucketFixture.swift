package import Downloads
package import ObjectStorage
import StoreFiles
package import StoreModel
import SystemPackage
package import TestSupport

@testable package import AssetStore

/// A store whose media lie in a bucket of a real S3 server.
package struct BucketFixture: Sendable {
    package let server: ObjectServer
    package let fixture: StoreFixture

    package var store: OfflineStore { fixture.store }

    /// Settings for a bucket of the server. Retries wait some milliseconds.
    package static func settings(
        _ server: ObjectServer, prefix: String = "store", cacheSize: UInt64 = 1 << 40
    ) throws -> BucketMedia.Settings {
        let location = try S3Location("s3://\(server.bucket)/\(prefix)", endpoint: server.endpoint)
        var settings = BucketMedia.Settings(
            location,
            credentials: S3Credentials(accessKey: server.accessKey, secretKey: server.secretKey),
            cacheSize: cacheSize)
        settings.retries = S3Retries(tries: 4, first: 0.01, longest: 0.02)
        return settings
    }

    /// Runs a test with a store that is closed at its end.
    package static func run(
        cacheSize: UInt64 = 1 << 40, faults: (share: Double, count: Int)? = nil,
        _ body: (BucketFixture) async throws -> Void
    ) async throws {
        let server = try ObjectServer(.moto, faults: faults)
        let settings = try settings(server, cacheSize: cacheSize)
        try await StoreFixture.run {
            $0.media = settings
            $0.conditions.interval = 0.05
        } _: { fixture in
            try await body(BucketFixture(server: server, fixture: fixture))
        }
    }

    /// A client of the bucket beside the store's, past the relay.
    package func client() throws -> S3Client {
        let location = try S3Location("s3://\(server.bucket)/store", endpoint: server.directEndpoint)
        return S3Client(
            location, credentials: S3Credentials(accessKey: server.accessKey, secretKey: server.secretKey),
            loop: try S3Client.makeLoop())
    }

    /// Has the server forget the bucket and the access key.
    package func forget() throws {
        let port = server.directEndpoint.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let client = try RawHTTPClient(port: port)
        client.send(
            "POST /moto-api/reset HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        _ = client.readToEnd()
    }

    /// Puts other bytes into the object of a segment; `nil` deletes it.
    package func replace(
        _ token: AssetToken, _ number: Int, _ rendition: String = "video", by bytes: [UInt8]?
    ) async throws {
        let client = try client()
        for object in try await client.list("\(token)/\(rendition)/\(number).ts").objects {
            if let bytes {
                try await client.put(bytes, to: object.key)
            } else {
                try await client.delete(object.key)
            }
        }
    }

    /// Deletes the media of a rendition from the store's folder; the playlist stays.
    package func loseFiles(_ token: AssetToken, _ rendition: String = "video") throws {
        let folder = store.paths.rendition(token, rendition)
        for name in FileSystem.names(in: folder) where !name.hasSuffix(".m3u8") {
            try FileSystem.unlink(folder.appending(name))
        }
    }

    /// The bytes that a player gets of a unit; `nil` when it gets not all of them.
    package func play(
        _ token: AssetToken, _ number: Int, _ rendition: String = "video"
    ) async throws -> [UInt8]? {
        let answer = try store.reader.media.unit(token, rendition, named: .segment(number), extension: "ts")
        switch answer {
        case .stored(let file): return try DurableWrite.read(file.path)
        case .unknown: return nil
        case .absent(let unit):
            guard let file = await store.media.demand(unit), try await file.ended() else { return nil }
            guard case .bytes(let bytes) = try file.read(at: 0, count: 1 << 30) else { return nil }
            return bytes
        }
    }

    /// Files of media in the store's folder.
    package func fileCount(_ token: AssetToken, _ rendition: String = "video") -> Int {
        FileSystem.names(in: store.paths.rendition(token, rendition)).filter { $0.hasSuffix(".ts") }.count
    }
}
