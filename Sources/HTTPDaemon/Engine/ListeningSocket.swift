internal import Glibc

/// A TCP socket that listens on one address. libmicrohttpd closes it when it stops.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    /// Binds and listens; made here and not by libmicrohttpd, which would hide why it failed.
    init(address: String, port: UInt16) throws(HTTPDaemonError) {
        let (descriptor, endpoint) = try Self.open(address, port)
        do {
            try Self.listen(descriptor, at: endpoint, address, port: port)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.port = SocketAddress(localOf: descriptor)?.port ?? port
    }

    /// Finds out whether one could listen, without doing so.
    static func check(address: String, port: UInt16) throws(HTTPDaemonError) {
        let (descriptor, endpoint) = try open(address, port)
        defer { close(descriptor) }
        try bind(descriptor, to: endpoint, address, port: port)
    }

    private static func open(
        _ address: String, _ port: UInt16
    ) throws(HTTPDaemonError) -> (Int32, SocketAddress) {
        guard let endpoint = SocketAddress(address, port: port) else {
            throw HTTPDaemonError(reason: .invalidAddress, address: address, port: port)
        }
        let descriptor = socket(
            endpoint.family,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.error("socket", errno, address: address, port: port) }
        return (descriptor, endpoint)
    }

    private static func listen(
        _ descriptor: Int32, at endpoint: SocketAddress, _ address: String, port: UInt16
    ) throws(HTTPDaemonError) {
        try bind(descriptor, to: endpoint, address, port: port)
        guard Glibc.listen(descriptor, 1024) == 0 else {
            throw error("listen", errno, address: address, port: port)
        }
    }

    private static func bind(
        _ descriptor: Int32, to endpoint: SocketAddress, _ address: String, port: UInt16
    ) throws(HTTPDaemonError) {
        set(descriptor, SOL_SOCKET, option: SO_REUSEADDR)
        if endpoint.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), option: IPV6_V6ONLY) }
        guard endpoint.bind(descriptor) == 0 else { throw error("bind", errno, address: address, port: port) }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, option: Int32) {
        var on: Int32 = 1
        unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func error(
        _ call: String, _ errno: Int32, address: String, port: UInt16
    ) -> HTTPDaemonError {
        let reason: HTTPDaemonError.Reason =
            switch errno {
            case EADDRINUSE: .portInUse
            case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotAvailable
            case EACCES, EPERM: .permissionDenied
            default: .system(call: call, errno: errno)
            }
        return HTTPDaemonError(reason: reason, address: address, port: port)
    }
}
