internal import AssetStore
internal import Dispatch
internal import Foundation
internal import Locking
internal import SystemPackage
internal import Transfers

/// Media that another process's server has in a bucket: a request for a unit makes it bring the file into the store.
struct ServerMedia: MediaSource {
    let client: EngineClient
    private static let threads = WorkPool(threads: 1)

    func bring(_ key: UnitKey, named name: String) throws(StoreError) {
        let file = StorePaths(root: client.root).rendition(key.token, key.unit.rendition).appending(name)
        guard !FileSystem.isThere(file) else { return }
        let ended = DispatchSemaphore(value: 0)
        let failure = Lock<StoreError?>(nil)
        Task(executorPreference: Self.threads) {
            let reason = await ask(for: "assets/\(key.token)/\(key.unit.rendition)/\(name)")
            failure.withLock { $0 = reason }
            ended.signal()
        }
        ended.wait()
        if let failure = failure.withLock(\.self) { throw failure }
        guard !FileSystem.isThere(file) else { return }
        throw StoreError(
            .bucket(
                "the cache dropped \(file) while it was needed; start the server with a larger --cache-size",
                isTemporary: false))
    }

    /// Folders and kept files are the server's; a command only reads.
    func restore(_ token: AssetToken) {}
    func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) {}

    /// Asks for all of a part; why it does not come.
    private func ask(for path: String) async -> StoreError? {
        let sink = UnkeptBody()
        do throws(TransferError) {
            let result = try await client.loop.perform(client.request(path, .get, below: ""), into: sink)
            guard result.response.status != 200 else { return nil }
            let problem = (try? JSONSerialization.jsonObject(with: Data(sink.document))) as? [String: Any]
            let detail = problem?["detail"] as? String ?? "the server answered \(result.response.status)"
            return StoreError(
                .bucket("\(path) could not be read from the server: \(detail)", isTemporary: true))
        } catch {
            return StoreError(
                .bucket(
                    "\(path) came incomplete from the server; \(Remedy.verify) finds what is damaged",
                    isTemporary: true))
        }
    }
}

/// Discards a response's body, but keeps a short problem document.
private final class UnkeptBody: TransferSink {
    private let state = Lock((isProblem: false, bytes: [UInt8]()))
    private static let largestDocument = 64 << 10

    var document: [UInt8] { state.withLock { $0.bytes } }

    func begin(_ response: TransferResponse) -> TransferDecision {
        state.withLock { $0.isProblem = response.status != 200 }
        return .accept
    }

    func receive(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { fresh in
            state.withLock { state in
                guard state.isProblem, state.bytes.count < Self.largestDocument else { return }
                unsafe state.bytes.append(contentsOf: fresh)
            }
        }
    }
}
