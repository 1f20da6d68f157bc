import HTTPTypes
import TestSupport
import Testing
import Transfers

@testable import Forwarding
@testable import HTTPDaemon

@Suite("The answer to one client's request", .timeLimit(.minutes(1)))
struct ForwardedAnswerTests {
    @Test("is still read on when a mebibyte of it waits for the client")
    func most() async throws {
        let origin = try OriginServer()
        origin.serve("/film.mp4", bytes: OriginResource.pattern(10))
        origin.fault("/film.mp4", .header("Connection: close"))
        let (answer, upstream) = (ForwardedAnswer(), Upstream(try TransferLoop()))
        let waiting = [UInt8](repeating: 7, count: 1 << 20)
        unsafe answer.receive(waiting.span.bytes)
        let request = ForwardedRequest.own(origin.url("/film.mp4"), fields: [:])
        let head = await answer.begin(request, upstream)
        #expect(try head.get().status == 200)
        // The transfer closes the connection once it has taken the last byte.
        try await eventually { origin.openConnectionCount == 0 }
        await upstream.stop()
    }

    /// Reads so many bytes of an answer.
    private func read(_ count: Int, of answer: ForwardedAnswer) {
        unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            var writer = unsafe BodyWriter(buffer)
            _ = answer.read(into: &writer, at: 0, wake: {})
        }
    }

    @Test("pauses above a mebibyte that waits for the client, until less than a quarter of that waits")
    func pauses() {
        let answer = ForwardedAnswer()
        let all = [UInt8](repeating: 7, count: 1 << 20)
        unsafe answer.receive(all.span.bytes)
        #expect(!answer.control.isPaused)
        unsafe answer.receive([UInt8(7)].span.bytes)
        #expect(answer.control.isPaused)
        read(3 << 18, of: answer)
        #expect(answer.control.isPaused)
        // 262,145 bytes wait, then 262,144, then one less.
        read(1, of: answer)
        #expect(answer.control.isPaused)
        read(1, of: answer)
        #expect(!answer.control.isPaused)
    }

    @Test("is given up with the client's task while nothing has come")
    func cancelled() async throws {
        let origin = try OriginServer()
        origin.serve("/film.mp4", bytes: OriginResource.pattern(10))
        origin.fault("/film.mp4", .holdHeader)
        let (answer, upstream) = (ForwardedAnswer(), Upstream(try TransferLoop()))
        let request = ForwardedRequest.own(origin.url("/film.mp4"), fields: [:])
        let client = Task { await answer.begin(request, upstream) }
        try await eventually { origin.requests.count == 1 }
        client.cancel()
        guard case .failure(let error) = await client.value else { throw CancellationError() }
        #expect(error.code == .cancelled)
        await upstream.stop()
    }
}
