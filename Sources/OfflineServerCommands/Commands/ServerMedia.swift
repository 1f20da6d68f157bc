internal import AssetStore
internal import Dispatch
internal import Foundation
internal import Locking
internal import SystemPackage
internal import Transfers

/// Media that another process's server has in a bucket. A request for a unit makes an active engine bring the file
/// into the store. A node on standby keeps media elsewhere: this command then writes the file itself, and deletes it
/// at its end.
final class ServerMedia: MediaSource {
    private let client: EngineClient
    private let own = Lock((isNeeded: false, files: [FilePath]()))
    private static let threads = WorkPool(threads: 1)

    private let restored = Lock<Set<AssetToken>>([])

    init(client: EngineClient) { self.client = client }

    func bring(_ key: UnitKey, named name: String) throws(StoreError) {
        let file = StorePaths(root: client.root).rendition(key.token, key.unit.rendition).appending(name)
        let resource = "assets/\(key.token)/\(key.unit.rendition)/\(name)"
        guard !FileSystem.isThere(file) else { return }
        if !own.withLock(\.isNeeded) {
            try ask(for: resource, into: nil)
            guard !FileSystem.isThere(file) else { return }
            own.withLock { $0.isNeeded = true }
        }
        try FileSystem.makeDirectory(file.parent)
        let part = file.parent.appending(".\(name).\(ProcessInfo.processInfo.processIdentifier).part")
        defer { try? FileSystem.unlink(part) }
        try ask(for: resource, into: part)
        own.withLock { $0.files.append(file) }
        try FileManager.default.moveReplacing(part, file)
    }

    /// Playlists are the server's. An active engine writes an asset's kept files when a subtitle track of them is
    /// requested; on standby this command writes them, and deletes them at its end.
    func restore(_ token: AssetToken) throws(StoreError) {
        guard restored.withLock({ $0.insert(token).inserted }) else { return }
        let folder = StorePaths(root: client.root).asset(token)
        let files = try StoreReader(root: client.root).keptFiles(of: token)
        let isTrack = { (path: String) in path.hasSuffix("/\(AddedSubtitles.trackName)") }
        for file in files.filter({ isTrack($0.path) }) + files.filter({ !isTrack($0.path) }) {
            let path = folder.pushing(FilePath(file.path))
            guard !FileSystem.isThere(path) else { continue }
            if isTrack(file.path), !own.withLock(\.isNeeded) {
                try? ask(for: "assets/\(token)/\(file.path)", into: nil)
                if FileSystem.isThere(path) { return }
                own.withLock { $0.isNeeded = true }
            }
            guard own.withLock(\.isNeeded) else { return }
            try FileSystem.makeDirectory(path.parent)
            try DurableWrite.write(file.body, to: path)
            own.withLock { $0.files.append(path) }
        }
    }

    /// A command only reads.
    func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) {}

    deinit { for file in own.withLock(\.files) { try? FileSystem.unlink(file) } }

    /// Gets a part from the server, and blocks until it is there.
    ///
    /// - Parameter file: the file to write it to; `nil` discards the bytes.
    private func ask(for path: String, into file: FilePath?) throws(StoreError) {
        let ended = DispatchSemaphore(value: 0)
        let failure = Lock<StoreError?>(nil)
        Task(executorPreference: Self.threads) {
            let reason = await self.answer(to: path, into: file)
            failure.withLock { $0 = reason }
            ended.signal()
        }
        ended.wait()
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// The reason why a part does not come; `nil` if all of it has come.
    private func answer(to path: String, into file: FilePath?) async -> StoreError? {
        do {
            let sink = try UnitBody(file)
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

/// Writes a response's body to a file, or discards it; keeps a short problem document.
private final class UnitBody: TransferSink {
    private let state = Lock((isProblem: false, bytes: [UInt8]()))
    private let file: FileDescriptor?
    private static let largestDocument = 64 << 10

    var document: [UInt8] { state.withLock { $0.bytes } }

    init(_ path: FilePath?) throws {
        file = try path.map {
            try FileDescriptor.open(
                $0, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead])
        }
    }

    func begin(_ response: TransferResponse) -> TransferDecision {
        state.withLock { $0.isProblem = response.status != 200 }
        return .accept
    }

    func receive(_ bytes: RawSpan) throws {
        try unsafe bytes.withUnsafeBytes { fresh in
            let isProblem = state.withLock { state in
                let hasRoom = state.bytes.count < Self.largestDocument
                if state.isProblem, hasRoom { unsafe state.bytes.append(contentsOf: fresh) }
                return state.isProblem
            }
            if !isProblem, let file { _ = unsafe try file.writeAll(fresh) }
        }
    }

    deinit { try? file?.close() }
}
