import Locking

/// One thread that runs transfers over HTTP/1.1 and HTTP/2, sharing connections, names and TLS sessions.
///
/// Every method may be called from any thread. A cancelled task ends its transfer at once.
public final class TransferLoop: Sendable {
    private struct Settings: Sendable {
        var rateLimits: RateLimits
        var refusedLocalPorts: Set<UInt16>
    }

    private let mailbox: LoopMailbox
    private let thread: LoopThread
    private let settings: Lock<Settings>

    /// Starts the thread. Throws `other` when there is no memory or thread for it.
    public init(configuration: TransferLoopConfiguration = TransferLoopConfiguration()) throws(TransferError)
    {
        guard CurlLibrary.initialize(), let multi = MultiHandle(configuration) else {
            throw TransferError(.other, url: "")
        }
        let mailbox = LoopMailbox(waking: multi)
        self.mailbox = mailbox
        settings = Lock(
            Settings(
                rateLimits: configuration.rateLimits,
                refusedLocalPorts: configuration.refusedLocalPorts))
        let thread = LoopThread {
            LoopCore(configuration, multi: multi, mailbox: mailbox).run()
        }
        guard let thread else { throw TransferError(.other, url: "") }
        self.thread = thread
    }

    deinit { _ = mailbox.post(.stop) }

    /// Begins to load libcurl and all that it needs, which takes some milliseconds, on a thread of its own.
    public static func prepare() { _ = LoopThread { CurlLibrary.initialize() } }

    /// The limits of all transfers.
    public var rateLimits: RateLimits { settings.withLock { $0.rateLimits } }

    /// Changes the rate limits at once.
    public func limit(_ change: (inout RateLimits) -> Void) {
        settings.withLock { settings in
            let before = settings.rateLimits
            change(&settings.rateLimits)
            // In the order of the changes, so that the last one stands.
            if settings.rateLimits != before { _ = mailbox.post(.setRateLimits(settings.rateLimits)) }
        }
    }

    /// Loopback ports that transfers begun from now on never connect to: the server's own.
    public var refusedLocalPorts: Set<UInt16> {
        get { settings.withLock { $0.refusedLocalPorts } }
        set {
            settings.withLock { $0.refusedLocalPorts = newValue }
            _ = mailbox.post(.setRefusedLocalPorts(newValue))
        }
    }

    /// Changes the number of simultaneous transfers per host at once; running ones beyond it continue.
    public func limitTransfers(perHost count: Int) { _ = mailbox.post(.setTransfersPerHost(count)) }

    /// Asks for `request` and hands its body to `sink`. Returns when the whole body has been received.
    ///
    /// A status of 400 or more is a result unless the request says otherwise, and so is a 200 in answer to a range:
    /// the sink sees the status before the first byte.
    public func perform(
        _ request: TransferRequest, into sink: any TransferSink
    ) async throws(TransferError) -> TransferResult {
        let url: TransferURL
        do throws(TransferError.Code) {
            url = try TransferURL(request.url)
            try request.validate()
        } catch {
            throw TransferError(error, url: TransferURL.redact(request.url))
        }
        return try await run(request, url: url, sink: sink).get()
    }

    /// Asks for `request` and returns its whole body, which may have `maximumBodyBytes` (32 MiB by default).
    public func fetch(_ request: TransferRequest) async throws(TransferError) -> (TransferResult, [UInt8]) {
        var request = request
        request.maximumBodyBytes = request.maximumBodyBytes ?? 32 << 20
        let sink = CollectingSink()
        let result = try await perform(request, into: sink)
        return (result, sink.body)
    }

    /// Ends every transfer with `stopped` and waits for the thread's end. Later transfers fail with `stopped`.
    public func stop() async {
        _ = mailbox.post(.stop)
        await thread.join()
    }

    private func run(
        _ request: TransferRequest, url: TransferURL, sink: any TransferSink
    ) async -> Result<TransferResult, TransferError> {
        let slot = TransferSlot()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(request, url: url, sink: sink) { continuation.resume(returning: $0) }
                request.control?.take(transfer, of: mailbox)
                if slot.fill(transfer) { transfer.isCancelled = true }
                if !mailbox.post(.add(transfer)) { transfer.finish(.stopped) }
            }
        } onCancel: {
            if let transfer = slot.cancel() { _ = mailbox.post(.cancel(transfer)) }
        }
    }
}

/// The place in which a cancellation finds its transfer. A cancellation before the transfer exists is remembered.
private final class TransferSlot: Sendable {
    private struct State: Sendable {
        var transfer: Transfer?
        var isCancelled = false
    }

    private let state = Lock(State())

    /// Puts the transfer in; true when it was cancelled already.
    func fill(_ transfer: Transfer) -> Bool {
        state.withLock { state in
            state.transfer = transfer
            return state.isCancelled
        }
    }

    func cancel() -> Transfer? {
        state.withLock { state in
            state.isCancelled = true
            return state.transfer
        }
    }
}
