internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers requests for the pages that people see.
struct PageResponder: Sendable {
    let reader: StoreReader
    /// The server's address, for clients that do not say by which name they know it.
    let serverURL: String
    /// The current work of the engine.
    var live: @Sendable () async -> [AssetToken: LiveFigures] = { [:] }
    /// Scripts, the stylesheet and pictures.
    let resources = PageResources()
    static let shown = 200

    /// A file of the pages.
    func answer(_ request: Request, resource name: String) -> Answer {
        switch request.method {
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
            let live = await live()
            return response(request, token, live: live)
        }
    }

    private func response(
        _ request: Request, _ token: AssetToken?, live: [AssetToken: LiveFigures]
    ) -> Response {
        let page = LibraryPage(server: request.address(orOf: serverURL), live: live)
        do throws(StoreError) {
            guard let token else { return Self.html(page.library(try reader.assets(limit: Self.shown))) }
            let asset = try reader.requireAsset(token)
            return Self.html(page.watch(asset, try reader.captions.subtitleRenditions(token) ?? []))
        } catch {
            return error.problem(token).response
        }
    }

    private static func html(_ text: String) -> Response {
        var response = Response(text: text)
        response.headers[.contentType] = "text/html; charset=utf-8"
        response.headers[.contentSecurityPolicy] = LibraryPage.contentSecurityPolicy
        response.headers[.referrerPolicy] = "no-referrer"
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .contentSecurityPolicy
}
