import Crypto
import Forwarding
import Foundation
import TestSupport
import Testing

/// A bucket whose objects are files of a folder.
private struct FolderBucket: ObjectSource {
    let folder = try? TemporaryDirectory()

    func put(_ bytes: [UInt8], _ key: String) throws { _ = try folder?.write(bytes, to: key) }

    func read(
        _ object: NamedObject, into receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws {
        let bytes = try folder?.read(object.key) ?? []
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            let piece = Array(bytes[start..<min(start + 1000, bytes.count)])
            unsafe try receive(piece.span.bytes)
        }
    }
}

@Suite("An answer whose bytes are in a bucket", .timeLimit(.minutes(1)))
struct SharedObjectTests {
    private let origin: OriginServer
    private let bucket = FolderBucket()
    private let bytes = OriginResource.pattern(300_000)
    private static let path = "/shared/0.ts"

    /// An origin that names the object `0.object` to those who ask for it.
    init() throws {
        origin = try OriginServer()
        let tag = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        var (whole, named) = (OriginResource(bytes: bytes), OriginResource(bytes: []))
        (whole.etag, named.etag) = ("\"\(tag.joined())\"", "\"\(tag.joined())\"")
        origin.serve(Self.path, whole)
        origin.serve("\(Self.path)?object", named)
        origin.fault(Self.path, .header("Cache-Control: public, max-age=31536000, immutable"))
        origin.fault("\(Self.path)?object", .header("Offline-Server-Object: 0.object"))
        origin.fault("\(Self.path)?object", .header("Offline-Server-Object-Size: 300000"))
    }

    private var bodies: Int { origin.requests.reduce(0) { $0 + $1.bytesSent } }

    @Test("is read there, once, and sent as the other server would send it")
    func named() async throws {
        try bucket.put(bytes, "0.object")
        let front = try Front(origin.url(""), bucket: bucket)
        let reply = try await front.exchange(Self.path)
        #expect(reply.status == 200 && reply.has(bytes) && reply["Content-Length"] == "300000")
        #expect(reply["Cache-Control"]?.contains("immutable") == true)
        #expect(reply["Offline-Server-Object"] == nil)
        let part = try await front.exchange(Self.path, fields: ["Range: bytes=-10"])
        #expect(part.status == 206 && part.body == Array(bytes.suffix(10)))
        #expect(origin.requests.map(\.query) == ["object"] && bodies == 0)
        #expect(origin.requests.first?.header("Offline-Server-Demand") == "object")
        #expect(front.forwarder.counted.objects == 1 && front.kept == [300_000])
        await front.stop()
    }

    @Test("is confirmed like any other one")
    func confirmed() async throws {
        try bucket.put(bytes, "0.object")
        let front = try Front(origin.url(""), validity: .zero, bucket: bucket)
        for _ in 0..<2 { #expect(try await front.exchange(Self.path).has(bytes)) }
        #expect(origin.requests.map(\.status) == [200, 304])
        await front.stop()
    }

    @Test("comes from the other server if the bucket does not have it, and so do the next ones for a while")
    func missing() async throws {
        let front = try Front(origin.url(""), bucket: bucket)
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(origin.requests.map(\.query) == ["object", nil])
        origin.serve("/shared/1.ts", bytes: bytes)
        origin.fault("/shared/1.ts", .header("Cache-Control: public, max-age=60"))
        #expect(try await front.exchange("/shared/1.ts").has(bytes))
        #expect(origin.requests.map(\.query) == ["object", nil, nil])
        #expect(origin.requests.map { $0.header("Offline-Server-Demand") } == ["object", nil, nil])
        #expect(front.forwarder.counted.objects == 0)
        await front.stop()
    }

    @Test(
        "comes from the other server if the bucket has other bytes, which nobody gets whole",
        arguments: [10_000, 299_999, 300_000])
    func damaged(length: Int) async throws {
        try bucket.put(Array(bytes[..<(length - 1)]) + [bytes[length - 1] ^ 1], "0.object")
        let front = try Front(origin.url(""), bucket: bucket)
        // The first client may have got some of the wrong bytes: then its answer breaks off.
        let first = try await front.exchange(Self.path)
        #expect(first.has(bytes) || first.body.count < 300_000)
        #expect(try await front.exchange(Self.path).has(bytes))
        try await eventually { front.kept == [300_000] }
        await front.stop()
    }

    @Test("is a refusal of the other server if neither has the bytes")
    func nowhere() async throws {
        let front = try Front(origin.url(""), bucket: bucket)
        origin.fault(Self.path, .status(503, headers: ["Retry-After: 7"]))
        let reply = try await front.exchange(Self.path)
        #expect(reply.status == 503 && reply["Retry-After"] == "7")
        origin.clearFaults(Self.path)
        origin.fault(Self.path, .header("Cache-Control: public, max-age=31536000, immutable"))
        #expect(try await front.exchange(Self.path).has(bytes))
        await front.stop()
    }

    @Test(
        "is that of the other server, if this has other bytes under the same name; once begun, it breaks off")
    func different() async throws {
        let other = OriginResource.pattern(300_000, seed: 9)
        origin.serve(Self.path, bytes: other)
        for hasBegun in [false, true] {
            let front = try Front(origin.url(""), bucket: bucket)
            if hasBegun { try bucket.put(Array(bytes.prefix(1000)), "0.object") }
            let reply = try await front.exchange(Self.path)
            #expect(hasBegun ? reply.body.count < 300_000 : reply.has(other))
            try await eventually { front.kept == [] }
            await front.stop()
        }
    }

    @Test("is sent by the other server if it is not in the bucket yet")
    func notYet() async throws {
        origin.clearFaults("\(Self.path)?object")
        origin.remove("\(Self.path)?object")
        let front = try Front(origin.url(""), bucket: bucket)
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(origin.requests.map(\.query) == ["object"])
        await front.stop()
    }

    @Test("comes from the other server also while it still arrives there, and has no tag yet")
    func untagged() async throws {
        var whole = OriginResource(bytes: bytes)
        whole.etag = nil
        origin.serve(Self.path, whole)
        let front = try Front(origin.url(""), bucket: bucket)
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(origin.requests.map(\.query) == ["object", nil])
        #expect(front.forwarder.counted.passedOn == 0 && front.kept == [300_000])
        await front.stop()
    }

    @Test("is the other server's own if this has another number of bytes now")
    func otherLength() async throws {
        let other = OriginResource.pattern(1000)
        var whole = OriginResource(bytes: other)
        whole.etag = nil
        origin.serve(Self.path, whole)
        let front = try Front(origin.url(""), bucket: bucket)
        #expect(try await front.exchange(Self.path).has(other))
        #expect(front.forwarder.counted.passedOn == 1)
        try await eventually { front.kept == [] }
        await front.stop()
    }

    @Test("is not read there if it is empty: the answer that names it is all there is")
    func empty() async throws {
        let path = "/shared/empty.ts"
        origin.serve(path, bytes: [])
        origin.fault(path, .header("Cache-Control: public, max-age=31536000, immutable"))
        origin.fault("\(path)?object", .header("Offline-Server-Object: empty.object"))
        origin.fault("\(path)?object", .header("Offline-Server-Object-Size: 0"))
        let front = try Front(origin.url(""), bucket: bucket)
        for _ in 0..<2 {
            let reply = try await front.exchange(path)
            #expect(reply.status == 200 && reply.body.isEmpty && reply["Content-Length"] == "0")
        }
        #expect(origin.requests.map(\.query) == ["object"])
        await front.stop()
    }
}
