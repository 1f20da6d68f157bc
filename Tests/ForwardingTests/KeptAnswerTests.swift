import Forwarding
import Foundation
import HTTPDaemon
import HTTPTypes
import Locking
import TestSupport
import Testing

@Suite("A kept answer", .timeLimit(.minutes(1)))
struct KeptAnswerTests {
    private let origin: OriginServer
    private let bytes = OriginResource.pattern(300_000)
    private static let path = "/shared/0.ts"

    init() throws {
        origin = try OriginServer()
        origin.serve(Self.path, bytes: bytes)
        origin.fault(Self.path, .header("Cache-Control: public, max-age=60"))
    }

    @Test("is a prepared one for plain requests, and made for those of pages, for parts and under conditions")
    func prepared() async throws {
        let front = try Front(origin.url(""))
        _ = try await front.exchange(Self.path)
        let cases = [
            ("Accept: */*", true), ("Origin: https://films.example", false), ("Sec-Fetch-Mode: cors", false),
            ("Range: bytes=0-9", false), (#"If-None-Match: "other""#, false), ("User-Agent: mpv", true),
        ]
        for (field, _) in cases { _ = try await front.exchange(Self.path, fields: [field]) }
        #expect(front.arePrepared == cases.map { $0.1 })
        await front.stop()
    }

    @Test("has the fields that are for every client, and no others")
    func fields() async throws {
        let front = try Front(origin.url(""))
        for line in ["Set-Cookie: s=1", "Vary: Accept", "X-Other: 1"] {
            origin.fault(Self.path, .header(line))
        }
        for _ in 0..<2 {
            let reply = try await front.exchange(Self.path)
            #expect(reply.has(bytes) && reply["Content-Type"] == "application/octet-stream")
            #expect(reply["Last-Modified"] == "Sat, 01 Jan 2022 00:00:00 GMT" && reply["Vary"] == "Accept")
            #expect(reply["Cache-Control"] == "public, max-age=60")
            #expect(reply["Set-Cookie"] == nil && reply["X-Other"] == nil)
        }
        #expect(origin.requests.count == 1)
        await front.stop()
    }

    @Test("is none if it is a refusal or compressed, though every client may have it")
    func unsuitable() async throws {
        let refusal = OriginFault.status(404, headers: ["Cache-Control: public, max-age=60"])
        for fault in [refusal, .gzip] {
            let front = try Front(origin.url(""))
            origin.fault(Self.path, fault)
            for _ in 0..<2 { _ = try await front.exchange(Self.path) }
            #expect(front.forwarder.counted.passedOn == 2 && front.kept == [])
            origin.clearFaults(Self.path)
            origin.fault(Self.path, .header("Cache-Control: public, max-age=60"))
            await front.stop()
        }
    }

    @Test("without a tag is sent for its time, and then requested again, because nobody can confirm it")
    func untagged() async throws {
        origin.fault(Self.path, .noValidators)
        let cases: [(Duration, Int)] = [(.seconds(600), 1), (.zero, 2)]
        for (validity, count) in cases {
            origin.forgetRequests()
            let front = try Front(origin.url(""), validity: validity)
            for _ in 0..<2 { #expect(try await front.exchange(Self.path).has(bytes)) }
            #expect(origin.requests.map(\.status) == [Int](repeating: 200, count: count))
            #expect(front.forwarder.counted.passedOn == 0)
            await front.stop()
        }
    }

    @Test("is requested again when somebody has shortened its file")
    func shortened() async throws {
        let front = try Front(origin.url(""))
        _ = try await front.exchange(Self.path)
        let folder = front.folder.file("kept")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try front.folder.write([1, 2, 3], to: "kept/\(name)")
        }
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(origin.requests.count == 2 && front.kept == [300_000])
        await front.stop()
    }

    @Test("is confirmed once for all clients that ask before the reply has come")
    func oneQuestion() async throws {
        let front = try Front(origin.url(""), validity: .zero)
        _ = try await front.exchange(Self.path)
        origin.fault(Self.path, .holdHeader)
        let fields = Array("Host".utf8) + [0] + Array("a".utf8) + [0, 0, 0, 0]
        let head = RawHead(method: "GET", target: Array(Self.path.utf8), minorVersion: 1, fields: fields)
        let request = try RequestGuard(bodyLimit: 100).admit(head, peer: "127.0.0.1")
        let (pool, address) = (WorkPool(threads: 1), origin.url(""))
        let clients = (0..<5).map { _ in
            Task(executorPreference: pool) {
                await front.forwarder.sharedResponse(to: request, at: address, fields: [:])
            }
        }
        // The only thread takes the jobs in order: after these, all clients wait for the reply.
        for _ in 0..<10 { await pool.run {} }
        try await eventually { origin.requests.count == 2 }
        origin.release()
        for client in clients { #expect(await client.value?.status == .ok) }
        #expect(origin.requests.map(\.status) == [200, 304])
        #expect(front.forwarder.counted.fetched == 2)
        await front.stop()
    }
}
