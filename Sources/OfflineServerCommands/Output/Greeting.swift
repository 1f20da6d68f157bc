internal import AssetStore

/// The lines that a server prints when it is ready. Pure.
struct Greeting {
    /// The address on this machine, without a slash at the end.
    var url: String
    /// Whether other machines can reach the server.
    var isOpen = false
    /// The addresses for other machines, without a slash at the end.
    var otherURLs: [String] = []
    /// The API token; `nil` if none is demanded, or if it must not be shown.
    var token: String?
    /// The file of the API token, if one is demanded.
    var tokenFile: String?
    /// The code that signs in a browser of another machine; `nil` if browsers need none, or if it must not be shown.
    var code: String?
    /// The demo asset, if it was wanted.
    var demo: AssetToken?

    /// The part in front of the paths of addresses: for other machines, or if they can't reach the server, for this
    /// one.
    private var prefixes: [String] {
        let bases = isOpen && !otherURLs.isEmpty ? otherURLs : [url]
        return bases.map { base in token.map { "\(base)/t/\($0)" } ?? base }
    }

    /// The addresses for other machines.
    var addresses: [String] { isOpen && !otherURLs.isEmpty ? prefixes.map { "\($0)/" } : [] }

    /// Notes below the line with the address.
    var notes: [String] {
        var notes: [String] = []
        if isOpen {
            notes.append(
                addresses.isEmpty
                    ? "no address was found at which other machines reach this one; `ip address` lists this machine's addresses"
                    : "from other machines: \(addresses.joined(separator: " or "))")
        }
        if let tokenFile {
            notes.append(
                token == nil
                    ? "players must put /t/TOKEN in front of each path; the token is in \(tokenFile)"
                    : "every request must show the token in \(tokenFile): as /t/TOKEN in front of its path, or as a bearer"
            )
        }
        if let code, isOpen { notes += SignInNotice(code: code, bases: otherURLs).lines }
        if let demo, let prefix = prefixes.first {
            notes.append(
                "the demo is at \(prefix)/assets/\(demo)/master.m3u8, or on this machine: offline-server play \(demo)"
            )
        }
        return notes
    }
}
