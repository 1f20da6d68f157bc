internal import HTTPDaemon
internal import HTTPTypes

/// The page for browsers while a server does not serve the store. It needs no other file, because no node may be there
/// that would send one, and it is loaded again by itself.
struct WaitingPage {
    let problem: Problem

    private var text: String {
        let seconds = max(problem.retryAfter ?? 1, 2)
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="\(seconds)">
            <title>Not available now – offline-server</title></head>
            <body><main><h1>Not available now</h1><p>\(LibraryPage.escaped(problem.detail))</p>
            <p>This page is loaded again by itself.</p></main></body></html>

            """
    }

    var response: Response {
        var response = PageResponder.html(text)
        response.status = problem.status
        response.headers[.retryAfter] = problem.response.headers[.retryAfter]
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension Problem {
    /// The response if the store can't be served now: a page for a person, a problem document for a program.
    func waitingResponse(to request: Request) -> Response {
        status == .serviceUnavailable && SignInPage.isWanted(by: request)
            ? WaitingPage(problem: self).response : response
    }
}
