/// Produces a body while it is sent.
public protocol BodySource: Sendable {
    /// The room in bytes that one `read` gets, 64 KiB by default. Each response takes so much memory.
    var blockSize: Int { get }

    /// Appends bytes of the body from `offset` on to `writer`, or tells why there are none.
    ///
    /// Called on a daemon thread, never twice at once for one response; must not block. `wake` may be called from any
    /// thread, any number of times, also before this call returns: after `.wait` it causes another `read`, otherwise
    /// it has no effect.
    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep

    /// The body will not be read any further although its end was not reached: the client left, asked with
    /// HEAD, a wait was too long, or the daemon stops. Called at most once, on any thread; must not block.
    func cancelled()
}

extension BodySource {
    /// 64 KiB.
    public var blockSize: Int { 64 << 10 }

    /// Does nothing.
    public func cancelled() {}
}

/// The result of a source's `read`.
public enum BodyStep: Sendable {
    /// At least one byte was appended; without any, the body fails.
    case bytes
    /// The body is complete. With bytes missing to the announced length the body fails.
    case end
    /// The rest can't be had: the connection is broken, so that the client sees an incomplete body.
    case fail
    /// No bytes yet: the connection is suspended until `wake` is called or `limit` has passed, and uses no thread. A
    /// client that leaves in this time, or closes its sending side after the response began, is noticed within 2
    /// seconds.
    case wait(limit: Duration, then: WaitExpiry = .fail)
}

/// The ways to end a wait that was longer than its limit.
public enum WaitExpiry: Sendable {
    /// The body fails.
    case fail
    /// The source is read again, for example to send a sign of life.
    case readAgain
}
