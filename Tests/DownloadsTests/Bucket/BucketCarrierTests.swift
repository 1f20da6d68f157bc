import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "The carrier of objects", .enabled(if: ObjectServer.Engine.moto.runs), .timeLimit(.minutes(2)))
struct BucketCarrierTests {
    @Test("makes a file of an object only if the object has the expected bytes")
    func download() async throws {
        let (folder, server) = (try TemporaryDirectory(), try ObjectServer(.moto))
        let carrier = try BucketCarrier(try BucketFixture.settings(server))
        let (bytes, size) = (OriginResource.pattern(3000), UInt64(3000))
        let source = FilePath(try folder.write(bytes, to: "source"))
        let hash = try FilePieces.sha256(of: source)
        let key = "\(AssetToken(at: Timestamp(milliseconds: 1)))/video/0.ts.w-1"
        try await carrier.upload(source, size: size, sha256: hash, to: key)
        var other = hash
        other[0] ^= 1
        func fetched(_ key: String, _ hash: [UInt8], to name: String) async throws -> UnitFinding? {
            try await carrier.download(key, size: size, sha256: hash, to: FilePath(folder.file(name)))
        }
        let sound = try await fetched(key, hash, to: "0.ts")
        let damaged = try await fetched(key, other, to: "1.ts")
        let gone = try await fetched(key + "0", hash, to: "2.ts")
        await carrier.stop()
        #expect(sound == nil && damaged == .damaged && gone == .gone)
        #expect(try folder.read("0.ts") == bytes)
        #expect(Set(FileSystem.names(in: FilePath(folder.path))) == ["source", "0.ts"])
    }
}
