internal import AssetStore
internal import HTTPTypes

extension APIOperation {
    /// Everything that the API can do. What one path offers stands together.
    static let all: [APIOperation] = assets + actions + licenses + others

    private static let assets: [APIOperation] = [
        APIOperation(.get, "assets", "Lists assets, the newest first.") {
            api, call async throws(StoreError) in try await api.list(call)
        },
        APIOperation(.post, "assets", "Makes an asset of a stream and queues its download.") {
            api, call async throws(StoreError) in try await api.add(call)
        },
        APIOperation(.get, "assets/{token}", "Tells everything known of an asset.") {
            api, call async throws(StoreError) in try await api.show(call)
        },
        APIOperation(.patch, "assets/{token}", "Changes an asset's name, priority or metadata.") {
            api, call async throws(StoreError) in try await api.edit(call)
        },
        APIOperation(.delete, "assets/{token}", "Deletes an asset with everything it has.") {
            api, call async throws(StoreError) in try await api.remove(call)
        },
    ]

    private static let actions: [APIOperation] = [
        action(.pause, "Stops an asset's transfers and keeps everything."),
        action(.resume, "Goes on with what is missing of an asset."),
        action(.cancel, "Gives an asset's transfer up; keeps what is stored for a day, or purges it."),
        action(.remove, "Deletes an asset with everything it has."),
        APIOperation(.post, "assets/{token}/verify", "Reads every stored byte again.") {
            api, call async throws(StoreError) in try await api.verify(call)
        },
        APIOperation(.post, "assets/{token}/repair", "Fetches what is missing or damaged.") {
            api, call async throws(StoreError) in try await api.repair(call)
        },
        APIOperation(.post, "control", "Does one thing to several assets, or to all.") {
            api, call async throws(StoreError) in try await api.control(call)
        },
    ]

    private static let others: [APIOperation] = [
        APIOperation(.post, "import", "Makes an asset of a folder of plain HLS on this machine.") {
            api, call async throws(StoreError) in try await api.importing(call)
        },
        APIOperation(.get, "events", "Follows everything that happens, as Server-Sent Events.") {
            api, call async throws(StoreError) in try await api.events(call)
        },
        APIOperation(.get, "storage", "Tells who uses which bytes.") {
            api, _ async throws(StoreError) in try await api.storage()
        },
    ]

    private static func action(_ action: AssetAction, _ summary: String) -> APIOperation {
        APIOperation(.post, "assets/{token}/\(action.rawValue)", summary) {
            api, call async throws(StoreError) in try await api.act(action, call)
        }
    }
}
