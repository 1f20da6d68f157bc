internal import OfflineServer

/// The instructions by which another device signs in: an address with a code, as text and as a QR code. Pure.
struct SignInNotice {
    /// Addresses of the page for other machines, with the code in the fragment.
    let urls: [String]
    let code: String

    /// - Parameters:
    ///   - code: the code.
    ///   - bases: the server's addresses for other machines, without a slash at the end.
    init(code: String, bases: [String]) {
        (self.code, urls) = (code, bases.map { "\($0)/#code=\(code)" })
    }

    init(code: String, urls: [String]) { (self.code, self.urls) = (code, urls) }

    /// The code in two halves, which is easier to type.
    private var halves: String { "\(code.prefix(4))-\(code.dropFirst(4))" }

    /// The line of a server that other devices can't reach.
    var lineOfThisMachine: String {
        let page = urls.first?.prefix { $0 != "#" } ?? ""
        return
            "only this machine can reach the server: a browser here opens \(page) and takes the code \(halves) within five minutes; `offline-server serve --lan` lets other devices in"
    }

    var lines: [String] {
        guard let first = urls.first else { return [] }
        let page = first.prefix { $0 != "#" }
        return [
            "to sign in a phone or a TV: scan this, or open \(page) and type \(halves); the code works once, within five minutes"
        ]
            + (QRCode(first)?.halfBlocks ?? [])
    }
}
