/// The addresses to which a transfer may connect. It judges the address of the socket, not the text of the URL: names
/// resolve, numbers have many spellings, and redirects lead anywhere.
struct AddressPolicy: Sendable, Hashable {
    /// Whether loopback, link-local and private addresses are allowed.
    var allowsPrivateAddresses: Bool
    /// Ports refused on this machine's own addresses.
    var refusedLocalPorts: Set<UInt16>

    /// Whether a connection to `address` and `port` may be made. Metadata services of clouds, multicast and
    /// broadcast are never allowed.
    func allows(_ address: IPAddress, port: UInt16) -> Bool {
        switch address.reach {
        case .global: true
        case .metadata, .reserved: false
        case .linkLocal, .privateNetwork: allowsPrivateAddresses
        case .loopback, .unspecified: allowsPrivateAddresses && !refusedLocalPorts.contains(port)
        }
    }
}
