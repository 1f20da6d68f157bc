import TestSupport
import Testing

@testable import Transfers

@Suite(
    "HTTP/2 over TLS", .enabled(if: SecureOrigin.runs, "needs nginx and openssl"), .serialized,
    .timeLimit(.minutes(2)))
struct HTTP2Tests {
    private let origin: SecureOrigin
    private let loop: TransferLoop

    init() throws {
        origin = try SecureOrigin()
        loop = try TransferLoop()
    }

    private func request(_ path: String) -> TransferRequest {
        var request = TransferRequest(url: origin.url(path))
        request.allowsPrivateAddresses = true
        request.certificateAuthorityFile = origin.certificate
        return request
    }

    @Test("a hundred transfers share one connection")
    func multiplexed() async throws {
        let bytes = OriginResource.pattern(100_000)
        try origin.folder.write(bytes, to: "a.ts")
        let (request, loop) = (request("/a.ts"), loop)
        let results = try await withThrowingTaskGroup(of: (TransferResult, [UInt8]).self) { group in
            for _ in 0..<100 { group.addTask { try await loop.fetch(request) } }
            var results: [TransferResult] = []
            for try await (result, body) in group {
                #expect(body == bytes)
                results.append(result)
            }
            return results
        }
        #expect(results.allSatisfy { $0.response.version == .http2 && $0.response.lengthIsKnown })
        #expect(results.count { !$0.connectionReused } == 1)
    }

    @Test("a range comes over HTTP/2 as over HTTP/1.1")
    func range() async throws {
        try origin.folder.write(OriginResource.pattern(1_000), to: "a.ts")
        var request = request("/a.ts")
        request.range = TransferRange(offset: 10, length: 5)
        #expect(try await loop.fetch(request).1 == Array(OriginResource.pattern(1_000)[10..<15]))
    }

    @Test("an untrusted certificate is refused")
    func untrusted() async throws {
        var request = request("/a.ts")
        request.certificateAuthorityFile = nil
        let error = await #expect(throws: TransferError.self) { try await loop.fetch(request) }
        #expect(error?.code == .tls)
        #expect(error?.isRetryable == false)
    }

    @Test("a redirect from https to http is refused")
    func downgrade() async throws {
        let error = await #expect(throws: TransferError.self) { try await loop.fetch(request("/down")) }
        #expect(error?.code == .redirectRefused)
    }
}
