internal import CMicroHTTPD
internal import HTTPTypes
internal import Locking

/// One request and its response. State that other threads use is guarded by the connection's lock.
///
/// `@unchecked Sendable`: `stage` and `body` belong to the serving thread; `shared` is used under
/// `connection.state`'s lock; `handle` is passed to libmicrohttpd by the serving thread, or to resume it under that
/// lock while it is suspended, when it can't be freed.
@safe final class Exchange: @unchecked Sendable {
    enum Stage {
        case head
        case body(Request)
        case deferred(Request)
        case answered
    }

    /// The state that other threads use.
    struct Shared {
        var suspension = Suspension()
        var expiry = WaitExpiry.fail
        var isAdmitted = false
        var answer: Response?
        var work: Task<Void, Never>?
        /// Whether the request's method is not safe (RFC 9110, section 9.2.1), and its answer is not made yet.
        var mayChangeSomething = false
        /// Whether a body of a known length is being sent.
        var hasKnownEnd = false
        /// Whether the client has closed its sending side, and still waits for the answer.
        var staysForAnswer = false
    }

    /// The threads that make deferred responses. Blocking one of them, on a disk or a lock, blocks no other task of the
    /// program.
    private static let threads = WorkPool(threads: 16)

    let core: DaemonCore
    let connection: Connection
    let target: [UInt8]
    private let handle: OpaquePointer
    var stage = Stage.head
    var isHead = false
    /// Whether the client understands interim responses, as HTTP/1.1 does. Set before the exchange is suspended.
    var takesInterim = false
    /// Whether the connection ends after the answer.
    ///
    /// It does if the content came in chunks: libmicrohttpd accepts a bare LF as the end of a chunk's line, other
    /// servers may not. A text that one of them takes for content must not be a request for the other.
    var isLast = false
    /// Whether the end of the connection marks the end of the answer: an answer without a length to HTTP/1.0.
    var endsWithConnection = false
    /// The content received so far, unless it is over the limit.
    var body: [UInt8] = []
    /// Bytes of content received so far.
    var received = 0
    private var shared = Shared()

    init(core: DaemonCore, connection: Connection, handle: OpaquePointer, target: [UInt8]) {
        self.core = core
        self.connection = connection
        unsafe self.handle = unsafe handle
        self.target = target
    }

    private func withShared<Result>(_ body: (inout Shared) -> Result) -> Result {
        connection.state.withLock { _ in body(&shared) }
    }

    // MARK: Resting, called by the serving thread

    /// A read of a body source begins. `false` if the body must fail.
    func willRead() -> Bool {
        withShared { shared in
            shared.suspension.willRead()
            return !shared.suspension.isAbandoned
        }
    }

    /// Suspends the connection until woken. `false` if it was woken since `willRead`: read again.
    func rest(limit: Duration, then expiry: WaitExpiry) -> Bool {
        let deadline = MonotonicTime.now + limit
        let rests = withShared { shared in
            shared.expiry = expiry
            return suspend(&shared, until: deadline)
        }
        if rests { core.watch.look(at: deadline) }
        return rests
    }

    /// Suspends the connection until `work` has made the response. `false` if the daemon stops.
    func rest(
        deadline limit: Duration, request: Request, on pool: WorkPool?,
        work: @escaping @Sendable (Request) async -> Response
    ) -> Bool {
        let deadline = MonotonicTime.now + limit
        setOwnTimeout(true)
        let rests = withShared { shared in
            // The task finds the lock taken until the connection is suspended, so it can't answer too early.
            guard suspend(&shared, until: deadline) else { return false }
            shared.mayChangeSomething = !request.method.isSafe
            shared.work = Task(executorPreference: pool ?? Self.threads) { self.deliver(await work(request)) }
            return true
        }
        if rests { core.watch.look(at: deadline) }
        return rests
    }

    /// Gives the connection an idle timeout of its own while its answer is made, so that libmicrohttpd takes the answer
    /// before it reads from the socket.
    ///
    /// libmicrohttpd 0.9.75 reads from a resumed connection. If the client has closed its sending side, the connection is
    /// then closed without an answer. Connections with a timeout of their own are asked for an answer before that.
    private func setOwnTimeout(_ isOwn: Bool) {
        let seconds = core.configuration.idleSeconds
        unsafe mhd_shim_set_idle_timeout(handle, isOwn ? seconds &+ 1 : seconds)
    }

    /// The response to `request` made by `work`; a 503 if it took too long or the daemon stops.
    func takeAnswer(to request: Request) -> Response {
        setOwnTimeout(false)
        return withShared { shared in
            // From here on, the deadline of the deferred work does not apply to the body.
            defer { (shared.answer, shared.work) = (nil, nil) }
            return shared.answer ?? core.responder.refuse(core.isStopping ? .stopping : .tooLate, of: request)
        }
    }

    /// Whether other threads may know this exchange.
    var isAdmitted: Bool { withShared { $0.isAdmitted } }

    /// Whether the daemon lets it go on for a while when it stops: a body that has an end, or a change that is being
    /// made. An answer without a known length, such as a stream of events, may never end.
    var goesOn: Bool { withShared { $0.mayChangeSomething || $0.hasKnownEnd } }

    func end() {
        let (unsent, work) = withShared { shared in
            defer { (shared.answer, shared.work) = (nil, nil) }
            shared.suspension.end()
            return (shared.answer, shared.work)
        }
        work?.cancel()
        unsent?.discard()
        core.watch.ended(self)
    }

    private func suspend(_ shared: inout Shared, until deadline: MonotonicTime) -> Bool {
        if !shared.isAdmitted {
            shared.isAdmitted = core.watch.admit(self)
            // The daemon stops: the body must fail instead of being read again and again.
            if !shared.isAdmitted { _ = shared.suspension.abandon() }
        }
        guard shared.suspension.rest(until: deadline) else { return false }
        unsafe MHD_suspend_connection(handle)
        return true
    }

    // MARK: Waking, called by any thread

    /// The source has bytes again.
    func wake() {
        withShared { shared in
            if shared.suspension.wake() { unsafe MHD_resume_connection(handle) }
        }
    }

    /// Ends a rest for good: a body fails, deferred work is cancelled and answered with 503.
    func abandon() {
        let work = withShared { abandon(&$0) }
        // This is called without the lock, because it runs the cancellation handlers of the work.
        work?.cancel()
    }

    /// Ends a suspension that has reached its limit, or whose client has left; returns the time of the next check.
    func check(at now: MonotonicTime) -> MonotonicTime {
        let (next, work) = withShared { check(&$0, at: now) }
        work?.cancel()
        return next
    }

    private func check(_ shared: inout Shared, at now: MonotonicTime) -> (MonotonicTime, Task<Void, Never>?) {
        guard case .resting(let deadline) = shared.suspension.state else { return (.never, nil) }
        switch connection.peerState {
        case .open: break
        case .sendsNoMore where shared.staysForAnswer: break
        case .sendsNoMore where shared.work != nil && (!takesInterim || connection.sayProcessing()):
            shared.staysForAnswer = true
            return (now + Self.resetTime, nil)
        case .sendsNoMore, .gone: return (.never, abandon(&shared))
        }
        guard now >= deadline else { return (deadline, nil) }
        guard shared.work == nil, shared.expiry == .readAgain else { return (.never, abandon(&shared)) }
        if shared.suspension.wake() { unsafe MHD_resume_connection(handle) }
        return (.never, nil)
    }

    /// How soon a client that left is known to have answered with a reset.
    private static let resetTime = Duration.milliseconds(100)

    /// A stream begins.
    ///
    /// A client that has closed its sending side before that waits for it, or will reset the connection.
    func streamBegins(length: UInt64?) {
        withShared { shared in
            shared.hasKnownEnd = length != nil
            if connection.peerState == .sendsNoMore { shared.staysForAnswer = true }
        }
    }

    /// Returns the work to cancel.
    private func abandon(_ shared: inout Shared) -> Task<Void, Never>? {
        if shared.suspension.abandon() { unsafe MHD_resume_connection(handle) }
        defer { shared.work = nil }
        return shared.work
    }

    private func deliver(_ response: Response) {
        let isWanted = withShared { shared in
            guard case .resting = shared.suspension.state else { return false }
            shared.answer = response
            if shared.suspension.wake() { unsafe MHD_resume_connection(handle) }
            return true
        }
        if !isWanted { response.discard() }
    }
}

extension HTTPRequest.Method {
    /// RFC 9110, section 9.2.1.
    fileprivate var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension Refusal {
    static let tooLate = Refusal(status: .serviceUnavailable, detail: "The answer took too long.")
    static let stopping = Refusal(status: .serviceUnavailable, detail: "The server is stopping.")
}

extension Response {
    /// Tells a stream that it will not be read.
    func discard() {
        if case .stream(_, let source) = body { source.cancelled() }
    }
}
