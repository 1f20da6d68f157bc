internal import Locking
internal import Transfers

/// The transfers to another server. One call can end all of them.
final class Upstream: Sendable {
    private struct State {
        var controls: [UInt64: TransferControl] = [:]
        var next: UInt64 = 0
    }

    private let loop: TransferLoop
    private let state = Lock(State())

    init(_ loop: TransferLoop) { self.loop = loop }

    /// Sends a request, and hands the body of its answer to `sink`.
    func perform(
        _ request: TransferRequest, into sink: any TransferSink,
        _ control: TransferControl = TransferControl()
    ) async throws(TransferError) {
        var request = request
        request.control = control
        let number = state.withLock { state in
            state.next += 1
            state.controls[state.next] = control
            return state.next
        }
        defer { state.withLock { $0.controls[number] = nil } }
        _ = try await loop.perform(request, into: sink)
    }

    /// Ends all transfers. New ones can be started afterwards.
    func giveUp() { for control in state.withLock({ Array($0.controls.values) }) { control.interrupt() } }

    /// Ends all transfers, and makes later ones fail.
    func stop() async { await loop.stop() }
}
