internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Demands the store's API token on every request: as a bearer token, as the path prefix `/t/{token}` for players,
/// which can't send header fields, or as the cookie of a browser that has signed in. Pages and playlists use relative
/// references, which keep the prefix. The prefix is accepted also if no token is demanded, since players keep
/// addresses.
struct TokenGate: Sendable {
    let token: String
    /// Whether requests without the token are refused.
    let isClosed: Bool
    /// The browsers that have signed in; `nil` where none can.
    var sessions: SessionBook?
    /// The same gate, which demands the token.
    var closed: TokenGate { TokenGate(token: token, isClosed: true, sessions: sessions) }
    private static let mark = Array("/t/".utf8)

    /// The request without the prefix; `nil` if the token is demanded and missing.
    func admit(_ request: Request) -> Request? {
        let meant = meaning(of: request)
        Trace.pass(.tokenGate, (meant ?? request).traced)
        return meant
    }

    private func meaning(of request: Request) -> Request? {
        if request.path.utf8.starts(with: Self.mark) {
            let parts = request.path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            let isShown = parts.count > 2 && Self.isEqual(String(parts[2]), token)
            return isShown ? request.without(prefix: "/t/\(parts[2])") : isClosed ? nil : request
        }
        guard isClosed, !Self.isForStrangers(request) else { return request }
        let isAllowed =
            request.bearer.map { Self.isEqual($0, token) } == true || sessions?.session(of: request) != nil
        return isAllowed ? request : nil
    }

    /// Whether a browser needs the resource before it has signed in. These are the files of the pages, which are the
    /// same on every server, and the resource for signing in.
    private static func isForStrangers(_ request: Request) -> Bool {
        switch Route(path: request.path) {
        case .page?: request.method != .post
        case .api(["sessions"])?: request.method == .post && !request.hasCredentials
        default: false
        }
    }

    /// Compares two texts in a time that does not depend on the number of equal characters.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    static let refusal = Problem(
        status: .unauthorized, type: "token",
        detail:
            "This server wants its token: as Authorization: Bearer, or as /t/TOKEN in front of the path; it is in the file api-token of the store.",
        challenge: "Bearer")
}
