import Locking
import ObjectStorage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The reader of objects", .timeLimit(.minutes(3)))
struct BucketReaderTests {
    @Test("reads for more players at a time than the 32 requests that other work may have")
    func players() async throws {
        let (origin, bytes, count) = (try OriginServer(), OriginResource.pattern(2000, seed: 22), 40)
        origin.serve("/media/store/0.ts", bytes: bytes)
        origin.fault("/media/store/0.ts", .holdHeader)
        let location = try S3Location("s3://media/store", endpoint: origin.url(""))
        let credentials = S3Credentials(accessKey: "a", secretKey: "s")
        let reader = try BucketReader(
            BucketMedia.Settings(location, credentials: credentials, cacheSize: 1 << 30))
        let reads = (0..<count).map { _ in
            Task { () async throws -> [UInt8] in
                let taken = Lock<[UInt8]>([])
                try await reader.read("0.ts", size: 2000) { fresh in
                    let piece = unsafe fresh.withUnsafeBytes { unsafe Array($0) }
                    taken.withLock { $0 += piece }
                }
                return taken.withLock(\.self)
            }
        }
        #expect(await origin.waitForRequests(count))
        origin.clearFaults("/media/store/0.ts")
        origin.release()
        for read in reads { #expect(try await read.value == bytes) }
        #expect(origin.requests.count == count)
        await reader.stop()
    }
}
