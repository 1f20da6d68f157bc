import Glibc
import Locking

@testable import HTTPDaemon

/// A body that grows while it is read.
final class GrowingSource: BodySource {
    private struct State {
        var bytes: [UInt8] = []
        var isComplete = false
        var isFailed = false
        var wakes: [@Sendable () -> Void] = []
        var cancellations = 0
        var reads = 0
    }

    private let state = Lock(State())
    private let limit: Duration
    private let expiry: WaitExpiry

    init(limit: Duration = .seconds(60), expiry: WaitExpiry = .fail) {
        self.limit = limit
        self.expiry = expiry
    }

    var cancellations: Int { state.withLock { $0.cancellations } }
    var reads: Int { state.withLock { $0.reads } }

    func append(_ text: String) { change { $0.bytes += Array(text.utf8) } }
    func append(_ bytes: [UInt8]) { change { $0.bytes += bytes } }
    func complete() { change { $0.isComplete = true } }
    func fail() { change { $0.isFailed = true } }
    func wakeOnly() { change { _ in } }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        let (rest, isComplete, isFailed) = state.withLock { state in
            state.reads += 1
            state.wakes.append(wake)
            return (state.bytes.dropFirst(Int(offset)), state.isComplete, state.isFailed)
        }
        if writer.append(rest) > 0 { return .bytes }
        if isFailed { return .fail }
        return isComplete ? .end : .wait(limit: limit, then: expiry)
    }

    /// Waits until the source was told that nobody reads it any more: a client sees its connection's end before.
    func untilCancelled() async throws {
        while cancellations == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    func cancelled() { state.withLock { $0.cancellations += 1 } }

    private func change(_ body: (inout State) -> Void) {
        let wakes = state.withLock { state in
            defer { state.wakes = [] }
            body(&state)
            return state.wakes
        }
        for wake in wakes { wake() }
    }
}

/// Bytes that do not repeat within a block: a block of a prime length, over and over.
func testBytes(_ count: Int) -> [UInt8] {
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count { bytes += block }
    return Array(bytes[..<count])
}

/// A folder that is removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/HTTPDaemonTests.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw RawClient.Failure(errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["a", "b"] {
            unsafe unlink("\(path)/\(name)")
            unsafe rmdir("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }

    /// Writes a file and returns its path; `name` is `a` or `b`.
    func write(_ bytes: [UInt8], name: String = "a") throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw RawClient.Failure(errno: errno)
        }
        return file
    }
}
