internal import AssetStore

/// The lines that a server prints when it is ready. Pure.
struct Greeting {
    /// The address on this machine, without a slash at the end.
    var url: String
    /// Whether other machines may ask.
    var isOpen = false
    /// The addresses for other machines, without a slash at the end.
    var otherURLs: [String] = []
    /// The token that every request must show, where it may be told; `nil` also where none is demanded.
    var token: String?
    /// The file of the token, where it is demanded.
    var tokenFile: String?
    /// The code that signs a browser of another machine in; `nil` where nothing is demanded of browsers, or nobody is to be
    /// told.
    var code: String?
    /// The demo asset, if it was wanted.
    var demo: AssetToken?

    /// The part in front of the paths of the addresses for other machines, or for this one if others can't ask.
    private var prefixes: [String] {
        let bases = isOpen && !otherURLs.isEmpty ? otherURLs : [url]
        return bases.map { base in token.map { "\(base)/t/\($0)" } ?? base }
    }

    /// The addresses for other machines.
    var addresses: [String] { isOpen && !otherURLs.isEmpty ? prefixes.map { "\($0)/" } : [] }

    /// Messages beside the line that says where it listens.
    var notes: [String] {
        var notes: [String] = []
        if isOpen {
            notes.append(
                addresses.isEmpty
                    ? "no address was found by which other machines reach this one; `ip address` lists those that it has"
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
