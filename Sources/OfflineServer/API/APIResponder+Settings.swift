internal import AssetStore
internal import HTTPDaemon

/// The settings of the engine.
extension APIResponder {
    func showSettings() async throws(StoreError) -> Response {
        Response(json: SettingsDocument(await store.policy).json)
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
