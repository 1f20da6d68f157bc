internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers requests for the pages that people see.
struct PageResponder: Sendable {
    let reader: StoreReader
    /// Where the server answers, for clients that do not say by which name they know it.
    let serverURL: String
    /// What the engine does now.
    var live: @Sendable () async -> [AssetToken: LiveFigures] = { [:] }
    static let shown = 200

    func answer(_ request: Request, _ token: AssetToken?) -> Answer {
        switch request.method {
        case .get, .head: break
        case .options:
            return .response(Response(status: .noContent, headers: [.allow: MediaResponder.methods]))
        default: return .response(Problem.methodNotAllowed(MediaResponder.methods).response)
        }
        return .later(deadline: MediaResponder.deadline) { request in
            let live = await live()
            return await WorkPool.queries.run { self.response(request, token, live: live) }
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
        return response
    }
}
