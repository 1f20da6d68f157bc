import TestSupport
import Testing

@testable import Transfers

@Suite("A transfer that is paused and let go on while its answer comes")
struct HoldTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("is refused by its status, though the head comes in one piece then", arguments: ["", "a message"])
    func refused(body: String) async throws {
        fixture.origin.serve("/a.ts", bytes: [])
        fixture.origin.fault("/a.ts", .status(503, body: body))
        for _ in 0..<100 {
            let sink = RecordingSink(acceptsStatus: 200)
            let error = await #expect(throws: TransferError.self) { try await toggled(into: sink) }
            #expect(error?.code == .refusedBySink)
            #expect(sink.responses.map(\.status) == [503])
            #expect(sink.bytes.isEmpty)
        }
    }

    @Test("brings the bytes of its answer")
    func answered() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(5_000))
        for _ in 0..<100 {
            let sink = RecordingSink()
            try await toggled(into: sink)
            #expect(sink.bytes == OriginResource.pattern(5_000))
        }
    }

    /// Asks while it is paused and let go on as fast as can be.
    private func toggled(into sink: RecordingSink) async throws {
        let control = TransferControl()
        var request = fixture.request("/a.ts")
        request.control = control
        let toggling = Task {
            while !Task.isCancelled {
                control.isPaused.toggle()
                await Task.yield()
            }
            control.isPaused = false
        }
        defer { toggling.cancel() }
        _ = try await fixture.loop.perform(request, into: sink)
    }
}
