internal import CMicroHTTPD
internal import Glibc
internal import Locking
internal import Synchronization

/// The owner of the `MHD_Daemon`. libmicrohttpd's callbacks hold it through `context`, from the start until
/// the daemon has stopped.
///
/// `@unchecked Sendable`: `handle` is set before any other thread sees the object, and used once, by `stop`.
@safe final class DaemonCore: @unchecked Sendable {
    let configuration: HTTPDaemonConfiguration
    let responder: any HTTPResponder
    let port: UInt16
    let watch: Watch
    private let stopping = Atomic(false)
    private let stopped = Lock(false)
    private var handle: OpaquePointer?

    private init(
        _ configuration: HTTPDaemonConfiguration, responder: any HTTPResponder, port: UInt16
    ) {
        self.configuration = configuration
        self.responder = responder
        self.port = port
        watch = Watch(limits: configuration, tooSlow: responder.refuse(.tooSlow, of: nil))
    }

    static func start(
        _ configuration: HTTPDaemonConfiguration, responder: any HTTPResponder
    ) throws(HTTPDaemonError) -> DaemonCore {
        let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
        let core = DaemonCore(configuration, responder: responder, port: socket.port)
        unsafe core.handle = unsafe core.startLibrary(on: socket)
        guard unsafe core.handle != nil else {
            close(socket.descriptor)
            throw HTTPDaemonError(reason: .library, address: configuration.address, port: configuration.port)
        }
        let failed = WorkerThread.begin { [watch = core.watch] in watch.run() }
        guard failed == 0 else {
            core.stop(grace: .zero)
            throw HTTPDaemonError(
                reason: .system(call: "pthread_create", errno: failed), address: configuration.address,
                port: configuration.port)
        }
        return core
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Stops in the only order libmicrohttpd survives: it aborts the process if a connection is suspended.
    func stop(grace: Duration) {
        stopped.withLock { isStopped in
            guard !isStopped, let handle = unsafe handle else { return }
            isStopped = true
            stopping.store(true, ordering: .relaxed)
            // Clients that change something are told the result, and bodies that have an end are sent.
            let exchanges = watch.close()
            for exchange in exchanges where !exchange.goesOn { exchange.abandon() }
            untilIdle(grace)
            for exchange in exchanges { exchange.abandon() }
            untilIdle(min(grace, Self.lastWords))
            unsafe MHD_stop_daemon(handle)
            watch.stop()
            unsafe Unmanaged.passUnretained(self).release()
        }
    }

    /// How long answers that were given up may take to be sent.
    private static let lastWords = Duration.milliseconds(200)

    private func untilIdle(_ longest: Duration) {
        let deadline = MonotonicTime.now + longest
        while watch.isBusy, MonotonicTime.now < deadline { usleep(2_000) }
    }

    private func startLibrary(on socket: ListeningSocket) -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self)
        var options = unsafe mhd_shim_options(
            listen_socket: socket.descriptor,
            threads: UInt32(min(max(configuration.threads, 1), 64)),
            connection_limit: UInt32(clamping: configuration.possibleConnections),
            address_connection_limit: UInt32(clamping: configuration.addressConnectionLimit ?? 0),
            idle_timeout_seconds: configuration.idleSeconds,
            connection_memory: max(4 << 10, configuration.connectionMemory),
            on_request: requestArrived,
            on_accept: connectionOffered,
            on_completed: requestCompleted,
            on_connection: connectionChanged,
            on_target: requestStarted,
            unescape: keepEncoding,
            context: context.toOpaque())
        let handle = unsafe mhd_shim_start(&options)
        if unsafe handle == nil { unsafe context.release() }
        return unsafe handle
    }
}
