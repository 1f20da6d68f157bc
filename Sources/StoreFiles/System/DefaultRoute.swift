/// The way to other networks, as the kernel's tables have it (proc(5)).
package struct DefaultRoute {
    /// The interface of the route.
    var interface: String
    /// The lower, the better.
    var metric: Int

    /// The best default route now; `nil` without one.
    package static var current: DefaultRoute? {
        best(
            ipv4: EngineConditions.read("/proc/net/route"),
            ipv6: EngineConditions.read("/proc/net/ipv6_route"))
    }

    /// The one with the lowest metric, by IPv4 where there is one.
    package static func best(ipv4: String, ipv6: String) -> DefaultRoute? {
        let old = ipv4.split(separator: "\n").compactMap(DefaultRoute.init(ipv4:))
        let new = ipv6.split(separator: "\n").compactMap(DefaultRoute.init(ipv6:))
        return (old.isEmpty ? new : old).min { $0.metric < $1.metric }
    }

    private init?(ipv4 line: Substring) {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count > 7, fields[1] == "00000000", fields[7] == "00000000", fields[0] != "lo",
            let metric = Int(fields[6])
        else { return nil }
        (interface, self.metric) = (String(fields[0]), metric)
    }

    private init?(ipv6 line: Substring) {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count > 9, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00", fields[9] != "lo",
            let metric = Int(fields[5], radix: 16)
        else { return nil }
        (interface, self.metric) = (String(fields[9]), metric)
    }
}
