internal import Glibc

/// The address of a daemon, and how much of the machine its clients may use.
public struct HTTPDaemonConfiguration: Sendable {
    /// A numeric IPv4 or IPv6 address, for example `127.0.0.1`, `::1` or `0.0.0.0`.
    public var address: String
    /// The TCP port; 0 lets the system pick one, see ``HTTPDaemon/port``.
    public var port: UInt16
    /// Threads that serve requests, 1 to 64.
    public var threads = 2
    /// The largest number of open connections. It is lowered at the start so that `reservedDescriptors` stay free,
    /// but not below a quarter of the process's limit.
    public var connectionLimit = 4096
    /// Connections open at once from one address; `nil` for no limit but that of all. More are closed at once.
    public var addressConnectionLimit: Int?
    /// File descriptors of the process's limit that connections leave to others.
    public var reservedDescriptors = 128
    /// How long a connection may rest between requests, or take no byte of a response.
    public var idleTimeout = Duration.seconds(75)
    /// `idleTimeout` in whole seconds, at least 1, as libmicrohttpd takes it.
    var idleSeconds: UInt32 { UInt32(clamping: max(1, idleTimeout.components.seconds)) }
    /// How long the header section of a request may take, counted from its first byte,
    /// and on a new connection from its acceptance.
    public var headTimeout = Duration.seconds(10)
    /// How long the content of a request may take.
    public var bodyTimeout = Duration.seconds(30)
    /// The longest request content in bytes; longer is answered with 413.
    public var bodyLimit = 1 << 20
    /// The longest header section, request line included, in bytes; longer is answered with 431 or 414.
    public var headLimit = 16 << 10
    /// Bytes of memory one connection may use for its header sections and buffers.
    public var connectionMemory = 32 << 10
    /// Whether header sections are read from the library's buffer, see ``HeadPointers``.
    var readsHeadsInPlace = LibraryFields.areInPlace

    /// A daemon at `address` and `port`, everything else at its default.
    public init(address: String = "127.0.0.1", port: UInt16 = 0) {
        self.address = address
        self.port = port
    }

    /// Connections that may be open at once in this process, as its limit of open files is now; at least 16.
    public var possibleConnections: Int {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return connections(ofDescriptors: Int(clamping: limit.rlim_cur))
    }

    /// Connections that may be open at once in a process that may open so many files.
    func connections(ofDescriptors count: Int) -> Int {
        max(16, min(connectionLimit, max(count / 4, count - reservedDescriptors)))
    }
}
