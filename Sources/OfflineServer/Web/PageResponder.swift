internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers requests for the pages that people see.
struct PageResponder: Sendable {
    let store: OfflineStore
    /// The server's address, for clients that do not send the name by which they know it.
    let serverURL: String
    /// Scripts, the stylesheet and pictures.
    let resources = PageResources()
    /// The assets that fill the first screen, also of a large one.
    private static let shown = 60

    /// A file of the pages.
    func answer(_ request: Request, resource name: String) -> Answer {
        switch request.method {
        case .get where name == "qr.svg", .head where name == "qr.svg": .response(Self.code(request))
        case .get, .head: .response(resources.response(request, name))
        case .options: .response(Response(status: .noContent, headers: [.allow: MediaResponder.methods]))
        default: .response(Problem.methodNotAllowed(MediaResponder.methods).response)
        }
    }

    func answer(_ request: Request, _ token: AssetToken?) -> Answer {
        switch request.method {
        case .get, .head: break
        case .options:
            return .response(Response(status: .noContent, headers: [.allow: MediaResponder.methods]))
        default: return .response(Problem.methodNotAllowed(MediaResponder.methods).response)
        }
        return .later(deadline: MediaResponder.deadline) { request in
            let live = await store.liveFigures
            return response(request, token, live: live)
        }
    }

    private func response(
        _ request: Request, _ token: AssetToken?, live: [AssetToken: LiveFigures]
    ) -> Response {
        let server = request.address(orOf: serverURL)
        let page = LibraryPage(
            server: server, live: live, modules: resources.modules(of: token == nil ? "library" : "watch"))
        do throws(StoreError) {
            guard let token else { return Self.html(page.library(try firstAssets(request, server, live))) }
            let asset = try store.reader.requireAsset(token)
            return Self.html(page.watch(asset, try store.reader.captions.subtitleRenditions(token) ?? []))
        } catch {
            let problem = error.problem(token)
            guard case .noSuchAsset = error.code, request.header(.accept)?.contains("text/html") == true
            else {
                return problem.response
            }
            var response = Self.html(LibraryPage.noAsset(problem.detail))
            response.status = .notFound
            return response
        }
    }

    /// The newest assets; without scripts, a link leads to the next ones.
    private func firstAssets(
        _ request: Request, _ server: String, _ live: [AssetToken: LiveFigures]
    ) throws(StoreError) -> AssetListDocument {
        // The event is read before the assets: later changes come again as events.
        let last = try store.reader.lastEvent()
        let before = QueryItems(request.query)["before"].flatMap { AssetToken($0) }
        let assets = try store.reader.assets(before: before, limit: Self.shown)
        store.watchFirst(assets)
        return AssetListDocument(
            assets: assets, server: server, live: live,
            next: assets.count == Self.shown ? assets.last?.token : nil, lastEvent: last)
    }

    /// The picture of a QR code of a text.
    private static func code(_ request: Request) -> Response {
        guard let text = QueryItems(request.query)["text"], !text.isEmpty, let code = QRCode(text) else {
            return Problem(
                status: .badRequest, type: "invalid-query", detail: "`text` must be 1 to 331 bytes.",
                parameter: "text"
            ).response
        }
        let headers: HTTPFields = [.contentType: "image/svg+xml", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: .bytes(Array(code.svg.utf8)))
    }

    static func html(_ text: String) -> Response {
        var response = Response(text: text)
        response.headers[.contentType] = "text/html; charset=utf-8"
        response.headers[.cacheControl] = "private, no-cache"
        response.headers[.contentSecurityPolicy] = LibraryPage.contentSecurityPolicy
        response.headers[.referrerPolicy] = "no-referrer"
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .contentSecurityPolicy
}
