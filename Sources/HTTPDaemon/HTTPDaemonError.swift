/// Why a daemon could not start listening.
public struct HTTPDaemonError: Error, Equatable, Sendable {
    /// The obstacles to a start.
    public enum Reason: Equatable, Sendable {
        /// The address is not a numeric IPv4 or IPv6 address.
        case invalidAddress
        /// Another socket listens there already (`EADDRINUSE`).
        case portInUse
        /// This machine does not have the address (`EADDRNOTAVAIL`, `EAFNOSUPPORT`).
        case addressNotAvailable
        /// The process may not use the port (`EACCES`).
        case permissionDenied
        /// A system call failed; its name and `errno`.
        case system(call: String, errno: Int32)
        /// libmicrohttpd refused to start.
        case library
    }

    /// The obstacle.
    public let reason: Reason
    /// The address asked for.
    public let address: String
    /// The port asked for.
    public let port: UInt16
}

extension HTTPDaemonError: CustomStringConvertible {
    /// One sentence: the attempt, and the reason for its failure.
    public var description: String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "cannot listen on \(host):\(port): \(reason.description)"
    }
}

extension HTTPDaemonError.Reason: CustomStringConvertible {
    /// The reason as a clause.
    public var description: String {
        switch self {
        case .invalidAddress: "the address must be a numeric IPv4 or IPv6 address"
        case .portInUse: "the port is in use by another program"
        case .addressNotAvailable: "this machine does not have that address"
        case .permissionDenied: "this user may not use that port"
        case .system(let call, let errno): "\(call) failed with \(SystemCall.name(of: errno))"
        case .library: "libmicrohttpd refused to start"
        }
    }
}
