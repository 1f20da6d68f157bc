public import AssetStore
internal import HTTPDaemon

/// Why a server could not start.
public enum PlaybackServerError: Error, Sendable {
    /// The address is not a numeric IPv4 or IPv6 address.
    case invalidAddress(ListenAddress)
    /// Another program already listens on this address and port.
    case portInUse(ListenAddress)
    /// This machine does not have the address.
    case addressNotAvailable(ListenAddress)
    /// This user has no permission for the port.
    case portNotPermitted(ListenAddress)
    /// The system does not let the server listen; the reason is a clause in English.
    case cannotListen(ListenAddress, reason: String)
    /// An allowed origin is neither `*` nor one like `https://player.example`.
    case invalidOrigin(String)
    /// A public URL is not one like `https://media.example`.
    case invalidPublicURL(String)
    /// A trusted proxy is not named by its numeric address.
    case invalidProxy(String)
    /// The path of a custom route is not valid, is the server's own, or is there twice.
    case invalidRoute(String)
    /// The store could not be read or written.
    case store(StoreError)

    init(_ error: HTTPDaemonError, _ address: ListenAddress) {
        self =
            switch error.reason {
            case .invalidAddress: .invalidAddress(address)
            case .portInUse: .portInUse(address)
            case .addressNotAvailable: .addressNotAvailable(address)
            case .permissionDenied: .portNotPermitted(address)
            case .system, .library: .cannotListen(address, reason: error.reason.description)
            }
    }
}

extension PlaybackServerError: CustomStringConvertible {
    /// One sentence: the attempt, and the reason for its failure.
    public var description: String {
        switch self {
        case .invalidAddress(let address):
            Self.sentence(address, "the address must be a numeric IPv4 or IPv6 address")
        case .portInUse(let address): Self.sentence(address, "the port is in use by another program")
        case .addressNotAvailable(let address):
            Self.sentence(address, "this machine does not have that address")
        case .portNotPermitted(let address): Self.sentence(address, "this user may not use that port")
        case .cannotListen(let address, let reason): Self.sentence(address, reason)
        case .invalidOrigin(let origin):
            "\(origin) is not an origin such as https://player.example, http://127.0.0.1:* or *"
        case .invalidPublicURL(let url): "\(url) is not a URL such as https://media.example, without a query"
        case .invalidProxy(let address): "\(address) is not a numeric IPv4 or IPv6 address of a proxy"
        case .invalidRoute(let path):
            "\(path) can't be the path of a custom route: it must be like /shelf, and no path of the server's own"
        case .store(let error): error.message
        }
    }

    private static func sentence(_ address: ListenAddress, _ reason: String) -> String {
        "cannot listen on \(address): \(reason)"
    }
}
