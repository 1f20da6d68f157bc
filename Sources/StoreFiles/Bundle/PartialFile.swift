package import Crypto
internal import Glibc
internal import Locking
package import SystemPackage

/// A file that is being written from its beginning. Bytes below the watermark are final. Readers can wait for it
/// before its first byte, and before it is opened.
///
/// One transfer at a time writes it, on the transfer loop's thread. Any thread may read below the watermark.
package final class PartialFile: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var watermark: UInt64 = 0
        /// The length of the file when it was taken over from an earlier run.
        var inherited: UInt64 = 0
        var hash = SHA256()
        var expected: UInt64?
        var version = 0
        var end: End?
        var isResting = false
        /// The error of the last try.
        var trouble: StoreError?
        /// Whether readers get nothing before the end, because the media may be disguised.
        var isVeiled = false
        /// The time of its first byte, in seconds of the steady clock.
        var firstByteTime: Double?
        /// The validator of the arriving version.
        var validator: Validator?
        var waiters: [Int: @Sendable () -> Void] = [:]
        var headWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0

        /// Whether the first bytes have come and look like media, or the growth has ended. Only then is the announced
        /// length that of the media.
        var isAnswered: Bool { end != nil || !isVeiled && watermark > 0 }

        /// Whether readers can get bytes beyond an offset, or the growth has ended.
        func isReady(beyond offset: UInt64) -> Bool { end != nil || !isVeiled && watermark > offset }
    }

    /// The end of the file's growth.
    package enum End {
        /// All bytes are there.
        case complete
        /// No more bytes will come: for this reason, or, when `nil`, because the transfer was abandoned.
        case failed(StoreError?)

        package var isComplete: Bool {
            if case .complete = self { true } else { false }
        }
    }

    /// The path of the file while it grows.
    package let path: FilePath
    private let state = Lock(State())
    /// Whether its head is beside it. The lock is held while the head is written or deleted, so that a unit that is
    /// stored meanwhile leaves no head.
    private let isHeadKept = Lock(false)

    /// Makes a file that will grow at `path`; it does not exist before `create`.
    package init(at path: FilePath) { self.path = path }

    /// Makes an empty file at `path`, and replaces an existing one.
    package convenience init(creating path: FilePath) throws(StoreError) {
        self.init(at: path)
        try create()
    }

    deinit {
        let descriptor = descriptor
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the empty file, and replaces an existing one.
    package func create() throws(StoreError) {
        let descriptor = unsafe open(path.string, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(.create, path) }
        let oldDescriptor = state.withLock { state in
            defer { (state.descriptor, state.watermark, state.hash) = (descriptor, 0, SHA256()) }
            return state.descriptor
        }
        if oldDescriptor >= 0 { close(oldDescriptor) }
    }

    /// Takes the open file of an earlier run, and continues at its end.
    package func begin(with descriptor: Int32, watermark: UInt64, hash: SHA256, head: PartHead) {
        isHeadKept.withLock { $0 = true }
        let (waiters, headWaiters) = state.withLock { state in
            (state.descriptor, state.watermark, state.hash) = (descriptor, watermark, hash)
            state.inherited = watermark
            (state.expected, state.validator) = (head.length, head.validator)
            return Self.takeReaders(&state)
        }
        for wake in waiters { wake() }
        for waiter in headWaiters { waiter.resume() }
    }

    /// The version that is arriving.
    package var validator: Validator? {
        get { state.withLock { $0.validator } }
        set { state.withLock { $0.validator = newValue } }
    }

    /// Writes the validator and length beside the file, once, so that a later process can resume it. It does nothing
    /// when the file can't be resumed.
    ///
    /// - Parameter hasEnded: whether the caller is the transfer at its end. If false, nothing is written for a file
    ///   whose growth has ended.
    package func keepHead(hasEnded: Bool = false) {
        isHeadKept.withLock { isKept in
            guard !isKept else { return }
            let head: PartHead? = state.withLock { state in
                guard hasEnded || state.end == nil, state.watermark > 0, let boot = PartHead.currentBoot,
                    let validator = state.validator, validator.ifRange != nil
                else { return nil }
                return PartHead(validator: validator, length: state.expected, boot: boot)
            }
            guard let head else { return }
            isKept = true
            head.write(for: path)
        }
    }

    /// Deletes the head that `keepHead` wrote: the unit is complete, or another version begins.
    package func dropHead() {
        isHeadKept.withLock { isKept in
            state.withLock { $0.validator = nil }
            if isKept { try? FileSystem.unlink(PartHead.path(of: path)) }
            isKept = false
        }
    }

    /// Deletes the file, or keeps it if the next try can resume it.
    ///
    /// - Returns: whether it is kept.
    @discardableResult
    package func leave(isWorthKeeping: Bool) -> Bool {
        if isWorthKeeping { keepHead(hasEnded: true) }
        if isWorthKeeping, isHeadKept.withLock(\.self) { return true }
        dropHead()
        try? FileSystem.unlink(path)
        return false
    }

    /// Whether the file has grown beyond the bytes of an earlier run.
    package var hasGrown: Bool { state.withLock { $0.watermark > $0.inherited } }

    private var descriptor: Int32 { state.withLock { $0.descriptor } }

    package var watermark: UInt64 { state.withLock { $0.watermark } }
    package var end: End? { state.withLock { $0.end } }

    /// The final length in bytes, when the origin has told it.
    package var expectedLength: UInt64? {
        get { state.withLock { $0.expected } }
        set { state.withLock { $0.expected = newValue } }
    }

    /// The time of its first byte, in seconds of the steady clock; `nil` before.
    package var firstByteTime: Double? { state.withLock { $0.firstByteTime } }

    /// Whether its transfer waits for a retry. In this time the asset may give its slot to others.
    package var isResting: Bool {
        get { state.withLock { $0.isResting } }
        set { state.withLock { $0.isResting = newValue } }
    }

    /// The error of the last try; `nil` without one, or after the first bytes have come.
    package var trouble: StoreError? {
        get { state.withLock { $0.isAnswered ? nil : $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Whether the first bytes have come and look like media, or the growth has ended.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Returns when `isAnswered`, or the task is cancelled.
    package func answered() async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isAnswered || Task.isCancelled { return true }
                    state.headWaiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.headWaiters.removeValue(forKey: number) }?.resume()
        }
    }

    private static func takeHeadWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard !state.headWaiters.isEmpty else { return [] }
        defer { state.headWaiters = [:] }
        return Array(state.headWaiters.values)
    }

    /// Appends bytes at the watermark and raises it.
    package func append(_ bytes: RawSpan) throws(StoreError) {
        let offset = watermark
        try unsafe bytes.withUnsafeBytes { buffer throws(StoreError) in unsafe try write(buffer, at: offset) }
        let (waiters, headWaiters) = unsafe bytes.withUnsafeBytes { buffer in
            state.withLock { state in
                if state.firstByteTime == nil { state.firstByteTime = SteadyClock.seconds }
                unsafe state.hash.update(bufferPointer: buffer)
                state.watermark += UInt64(buffer.count)
                return Self.takeReaders(&state)
            }
        }
        for wake in waiters { wake() }
        for waiter in headWaiters { waiter.resume() }
    }

    /// Removes and returns the waiting readers, so that the caller wakes them; none while the bytes are veiled.
    private static func takeReaders(
        _ state: inout State
    ) -> (waiters: [@Sendable () -> Void], headWaiters: [CheckedContinuation<Void, Never>]) {
        state.isVeiled ? ([], []) : (takeWaiters(&state), takeHeadWaiters(&state))
    }

    private func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(StoreError) {
        let descriptor = descriptor
        var done = 0
        while done < buffer.count {
            let count = unsafe pwrite(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .system(.write, path) }
            done += count
        }
    }

    /// Empties the file before another transfer begins at the first byte. Waiting readers are woken: the bytes they
    /// wait for will not come.
    package func restart() throws(StoreError) {
        dropHead()
        // Readers learn of it before the bytes go: one who begins in between waits for the new ones.
        let waiters = state.withLock { state in
            state.watermark = 0
            state.isVeiled = false
            // From now on the file never counts as grown: new bytes only replace those that are thrown away here.
            if state.inherited > 0 { state.inherited = .max }
            state.hash = SHA256()
            state.expected = nil
            state.version += 1
            return Self.takeWaiters(&state)
        }
        for wake in waiters { wake() }
        guard ftruncate(descriptor, 0) == 0 else { throw .system(.write, path) }
    }

    /// Whether readers get nothing before the end.
    package var isVeiled: Bool { state.withLock { $0.isVeiled } }

    /// Keeps the bytes from readers until the file is complete, since they may have to be unwrapped. If a reader has some
    /// of the bytes already, its next read fails; that reader begins again.
    package func veil() {
        let waiters = state.withLock { state in
            guard !state.isVeiled, state.end == nil else { return [@Sendable () -> Void]() }
            if state.watermark > 0 { state.version += 1 }
            state.isVeiled = true
            return Self.takeWaiters(&state)
        }
        for wake in waiters { wake() }
    }

    /// Replaces the received bytes by other content.
    package func replace(with content: FileRewriting) throws(StoreError) {
        dropHead()
        try FileSystem.rename(content.path, to: path)
        // No reader may take bytes of the new content for those of the old one.
        state.withLock { state in
            if !state.isVeiled { state.version += 1 }
            state.watermark = 0
        }
        // The descriptor keeps its number, so that no reader uses a closed one.
        guard dup2(content.descriptor, descriptor) != -1 else { throw .system(.open, path) }
        let waiters = state.withLock { state in
            state.watermark = UInt64(content.count)
            state.expected = state.watermark
            state.hash = content.hash
            return state.isVeiled ? [] : Self.takeWaiters(&state)
        }
        for wake in waiters { wake() }
    }

    /// Removes the length that the origin announced, since it was too small. The bytes are kept. The reads of readers
    /// that know this length fail.
    package func forgetLength() {
        let waiters = state.withLock { state in
            if state.expected != nil { state.version += 1 }
            state.expected = nil
            return Self.takeWaiters(&state)
        }
        for wake in waiters { wake() }
    }

    /// A number that grows with each restart and each change of the length. A reader must not mix bytes of different
    /// versions.
    package var version: Int { state.withLock { $0.version } }

    /// Ends the growth and wakes all readers.
    package func finish(_ end: End) {
        let (waiters, headWaiters) = state.withLock { state in
            state.end = end
            return (Self.takeWaiters(&state), Self.takeHeadWaiters(&state))
        }
        for wake in waiters { wake() }
        for waiter in headWaiters { waiter.resume() }
    }

    private static func takeWaiters(_ state: inout State) -> [@Sendable () -> Void] {
        guard !state.waiters.isEmpty else { return [] }
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
    }

    /// Calls `wake` once, when there are more than `offset` bytes or the growth has ended; at once if that is already
    /// so.
    package func whenGrown(beyond offset: UInt64, wake: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.isReady(beyond: offset) { return true }
            state.waiters[state.nextWaiter] = wake
            state.nextWaiter += 1
            return false
        }
        if isNow { wake() }
    }

    /// SHA-256 of the bytes below the watermark.
    package var sha256: [UInt8] { state.withLock { Array($0.hash.finalize()) } }

    /// Makes the bytes durable.
    package func synchronize() throws(StoreError) {
        guard fdatasync(descriptor) == 0 else { throw .system(.synchronize, path) }
    }

    /// Bytes from `offset` below the watermark, at most `count`.
    package func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
        let available = watermark
        guard offset < available else { return [] }
        let wanted = Int(min(UInt64(count), available - offset))
        return try FilePieces.all(wanted, of: descriptor, at: Int(offset), path)
    }
}
