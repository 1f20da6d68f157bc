internal import FoundationEssentials
package import HLSPlaylist
package import SystemPackage

/// The conditions of this machine under which downloads go on; replaced in tests.
package struct EngineConditions: Sendable {
    /// Whether there is a network route to the host of a URL. Hosts on this machine always have one.
    package var isOnline: @Sendable (_ url: String) -> Bool = { url in
        isLocal(url)
            || hasRoute(ipv4: read("/proc/net/route"), ipv6: read("/proc/net/ipv6_route"), isUp: isUp)
    }
    /// Bytes that may still be written to the file system of a path, and its size; `nil` when it does not tell.
    package var space: @Sendable (_ path: FilePath) -> (free: UInt64, total: UInt64)? = { path in
        FileSystem.space(at: path)
    }
    /// The minute of the day, 0 to 1439, as the clock on the wall shows it.
    package var minuteOfDay: @Sendable (_ moment: Timestamp) -> Int = { LocalTime.minuteOfDay($0) }
    /// Seconds between two checks while an asset runs or waits.
    package var interval = 2.0
    /// Seconds, roughly, between two deletions of media that were kept long enough.
    package var tidyInterval = 3600.0
    /// Seconds for which a recording waits for new content keys before it continues without them.
    package var keyPatience = 5.0
    /// How much a recording may hold of a rendition.
    package var recordingLimits = ParseLimits.stored

    /// The conditions as this machine has them.
    package init() {}

    private static func isLocal(_ url: String) -> Bool {
        let host = URIReference(url).host?.lowercased() ?? ""
        return host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }

    package static func read(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// Whether an interface may carry traffic: an unplugged one keeps its routes for a while.
    private static func isUp(_ interface: Substring) -> Bool {
        let state = read("/sys/class/net/\(interface)/operstate").prefix { !$0.isNewline }
        return !["down", "lowerlayerdown", "notpresent"].contains(state)
    }

    /// Whether the kernel's tables (proc(5)) have a route by another interface than loopback. A machine without
    /// such tables counts as online.
    ///
    /// - Parameter isUp: whether an interface with this name may carry traffic.
    static func hasRoute(ipv4: String, ipv6: String, isUp: (Substring) -> Bool = { _ in true }) -> Bool {
        guard !ipv4.isEmpty || !ipv6.isEmpty else { return true }
        let old = ipv4.split(separator: "\n").dropFirst().contains { line in
            line.split(separator: "\t").first.map { $0 != "lo" && isUp($0) } ?? true
        }
        // Addresses of the link alone, and of groups, lead nowhere.
        let new = ipv6.split(separator: "\n").contains { line in
            guard let name = line.split(separator: " ").last, name != "lo" else { return false }
            return !line.hasPrefix("fe80") && !line.hasPrefix("ff00") && isUp(name)
        }
        return old || new
    }
}
