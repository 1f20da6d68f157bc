internal import HTTPDaemon
internal import HTTPTypes

/// The page for browsers that have not signed in, where the server demands it.
struct SignInPage {
    /// The path that was asked for.
    let path: String

    /// Whether a person, not a program, asks for a page.
    static func isWanted(by request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        let isForPrograms = ["/api/", "/assets/", "/metrics", "/healthz", "/readyz"]
            .contains(where: request.path.hasPrefix)
        return !isForPrograms && (request.header(.accept) ?? "").contains("text/html")
    }

    var response: Response {
        let root = String(repeating: "../", count: max(0, path.count { $0 == "/" } - 1))
        let body = """
            <h1>Sign in</h1><p>Sign in with a code. <code>serve --lan</code> shows one, and so does \
            <em>Settings → Devices</em> on a device that has signed in.</p>
            <noscript><p>Without scripts, open <code>/t/TOKEN/</code>; the token is in the store’s file \
            <code>api-token</code>.</p></noscript>
            """
        var response = PageResponder.html(LibraryPage.page("Sign in", name: "signin", root: root, body: body))
        response.status = .unauthorized
        response.headers[.wwwAuthenticate] = "Bearer"
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
