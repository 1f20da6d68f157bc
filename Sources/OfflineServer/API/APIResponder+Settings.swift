internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import Locking

/// The settings of the engine.
extension APIResponder {
    func showSettings() async throws(StoreError) -> Response {
        let hooks = store.settings.hooks.map { hook -> JSONValue in
            ["on": .array(hook.on.map { .string($0) }), "runs": JSONValue(hook.service.displayName)]
        }
        return Response(json: SettingsDocument(await store.policy).json.adding([("hooks", .array(hooks))]))
    }

    /// The machines that share the store.
    func nodes() async throws(StoreError) -> Response {
        let catalog = store.catalog
        let nodes = try await WorkPool.queries.run { () throws(StoreError) in try catalog.nodes.all() }
        return Response(json: NodesDocument(nodes).json)
    }

    func changeSettings(_ call: APICall) async throws(StoreError) -> Response {
        let body: SettingsBody? = JSONBody.decode(call.request.body)
        guard let body, body.isSound else {
            return Problem.body(
                "The body may have \"max_downloads\" and \"transfers\" (1 to 64), \"limit_rate\" and \"limit_rate_per_host\" (bytes a second, 0 or null for no limit), \"schedule\", \"metered_ok\" and \"metered_interfaces\"."
            ).response
        }
        await store.settings.adopt(body.applied(to: await store.policy))
        return try await showSettings()
    }
}

extension ExternalService {
    /// The program's file or the URL's host. Arguments, paths and queries may hold secrets.
    fileprivate var displayName: String? {
        command?.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            ?? url.flatMap(URL.init(string:))?.host
    }
}
