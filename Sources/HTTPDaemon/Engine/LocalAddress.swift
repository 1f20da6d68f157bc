internal import CMicroHTTPD
internal import Glibc

/// An address of this machine.
public struct LocalAddress: Sendable, Equatable {
    /// The interface with this address.
    public var interface: String
    /// Numeric, without a zone.
    public var host: String

    /// An address of an interface.
    public init(interface: String, host: String) {
        self.interface = interface
        self.host = host
    }

    /// Whether it is an IPv6 address.
    public var isIPv6: Bool { host.contains(":") }

    /// The addresses of interfaces that are up, in the kernel's order.
    public static var all: [LocalAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [LocalAddress] = []
        var next = unsafe first
        while let item = unsafe next?.pointee {
            unsafe next = item.ifa_next
            let isUp = unsafe item.ifa_flags & UInt32(IFF_UP) != 0
            guard isUp, let address = unsafe item.ifa_addr,
                unsafe [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
            else { continue }
            let host = unsafe SocketAddress(copying: address).host
            found.append(unsafe LocalAddress(interface: String(cString: item.ifa_name), host: host))
        }
        return found
    }

    /// The addresses by which other machines may reach a server that listens at `host`. Loopback and link-local
    /// addresses are left out; so are those of bridges to containers and virtual machines if there are others.
    public static func reachable(_ all: [LocalAddress], listeningAt host: String) -> [LocalAddress] {
        let isEvery = host == "0.0.0.0" || host == "::"
        let own = all.filter { address in
            isEvery ? address.isIPv6 == host.contains(":") && !address.isLocal : address.host == host
        }
        let outer = own.filter { !$0.isInner }
        return outer.isEmpty || !isEvery ? own : outer
    }

    /// Whether it is valid only within one network.
    private var isLocal: Bool {
        host.hasPrefix("127.") || host.hasPrefix("169.254.") || host == "::1" || host.hasPrefix("fe80:")
    }

    /// Whether its interface leads to containers and virtual machines on this machine.
    private var isInner: Bool {
        ["docker", "br-", "veth", "virbr", "lxc", "podman", "cni"].contains { interface.hasPrefix($0) }
    }
}
