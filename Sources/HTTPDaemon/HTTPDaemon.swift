/// An HTTP/1.1 server on one address: libmicrohttpd with a strict front door.
///
/// Releasing the last reference without ``stop(grace:)`` stops at once and waits for it. The responder must not
/// hold the daemon.
public final class HTTPDaemon: Sendable {
    private let core: DaemonCore

    /// Starts listening; requests arrive at `responder` from now on.
    public init(
        configuration: HTTPDaemonConfiguration, responder: any HTTPResponder
    ) throws(HTTPDaemonError) {
        core = try DaemonCore.start(configuration, responder: responder)
    }

    deinit { core.stop(grace: .zero) }

    /// The port of the daemon.
    public var port: UInt16 { core.port }

    /// Connections open now.
    public var connectionCount: Int { core.watch.connectionCount }

    /// Stops the daemon, and frees its port.
    ///
    /// It refuses new connections and requests, answers waiting requests with 503, and breaks off bodies without a known
    /// length. Bodies with a known length may be sent for `grace` longer. So long, requests that change something may
    /// wait for their answers.
    ///
    /// Returns when no callback of this daemon runs any more. A second call waits for the first.
    public func stop(grace: Duration = .seconds(1)) async {
        await withCheckedContinuation { continuation in
            WorkerThread.detach { [core] in
                core.stop(grace: grace)
                continuation.resume()
            }
        }
    }
}
