/// Limits and defaults of a `TransferLoop`.
public struct TransferLoopConfiguration: Sendable {
    /// Transfers of one host at a time, and its connections; 1 or more.
    public var maximumTransfersPerHost = 16
    /// Transfers of one host at a time once it has answered over HTTP/2, where they share a connection.
    public var maximumStreamsPerHost = 64
    /// The number of simultaneous transfers; others wait.
    public var maximumTransfers = 64
    /// Transfers beyond these limits, for each host and in all, that only urgent ones may take.
    public var urgentReserve = 16
    /// The `User-Agent` of requests without one.
    public var userAgent = "offline-server/1.0"
    /// The limits of all transfers.
    public var rateLimits = RateLimits()
    /// Ports of this machine's loopback addresses that are never connected to: the server's own.
    public var refusedLocalPorts: Set<UInt16> = []

    /// The defaults.
    public init() {}
}
