internal import AssetStore
internal import HTTPTypes

extension APIOperation {
    /// Everything that the API can do. What one path offers stands together.
    static let all: [APIOperation] = assets + actions + licenses + others + viewing

    /// The path of an asset.
    static let assetTemplate = "assets/{token}"

    private static let assets: [APIOperation] = [
        APIOperation(.get, "assets", "listAssets", "Lists assets, the newest first.") {
            api, call async throws(StoreError) in try await api.list(call)
        }.documented(
            query: [
                ("state", APISchemas.states.with(example: "queued,failed"), "states, separated by commas"),
                ("since", APISchemas.event, "only assets with an event after this one"),
                (
                    "expiring", APISchemas.span.with(example: "3d"),
                    "only assets with a license that ends within this time, such as 3d"
                ),
                (
                    "limit", APISchemas.limit.with(example: 20),
                    "at most so many; 100 when nothing is said, and never more than 1000"
                ),
                ("tag", APISchemas.text.with(example: "kids"), "only assets with this tag"),
                (
                    "view", APISchemas.oneOf(["full", "summary"]).with(example: "summary"),
                    "summary: without renditions, time ranges, problems and other long members"
                ),
                ("before", APISchemas.token, "only assets older than this token: the \"next\" of an answer"),
            ], 200, "AssetList"),
        APIOperation(
            .post, "assets", "addAssets",
            "Makes an asset of a stream, or of each of many, and queues its download."
        ) {
            api, call async throws(StoreError) in try await api.add(call)
        }.documented(
            body: "DownloadRequest", 201, "Added",
            other: (
                200,
                "nothing lacked of the list, with \"next\"; or it was asked for before, with the same key"
            ),
            details:
                "One download is answered by its asset, several by their tokens and addresses, in their order. The stream is looked into after the answer: one that can't be had becomes `failed`, with the reason. The same stream may be there more than once; use `name` and `meta` to find yours again. With the field `Idempotency-Key`, or a `client_id`, it is made once: the same request under the same key answers the same asset, another one is refused (422), also after a restart, for as long as the asset is there."
        ),
        APIOperation(.get, assetTemplate, "getAsset", "Tells everything known of an asset.") {
            api, call async throws(StoreError) in try await api.show(call)
        }.documented(
            200, "Asset",
            details:
                "Its `ETag` changes with all that is said; `PATCH` and `DELETE` heed it in `If-Match` (412)."),
        APIOperation(
            .get, "assets/{token}/request", "getRequest",
            "Tells what one would post to have an asset again, without secrets."
        ) {
            api, call async throws(StoreError) in try await api.showRequest(call)
        }.documented(
            200, "Download",
            details:
                "Header values, cookies, user information and the query of the address are left out: add them."
        ),
        APIOperation(
            .patch, assetTemplate, "editAsset",
            "Changes an asset's name, priority, metadata, pin, terms of download or how its origin is asked."
        ) {
            api, call async throws(StoreError) in try await api.edit(call)
        }.documented(
            body: "AssetEdit", 200, "Asset",
            details:
                "Of header fields, each one that is named takes the place of those of its name, and an empty value takes it back. A download that its origin has refused goes on."
        ),
        APIOperation(.delete, assetTemplate, "deleteAsset", "Deletes an asset with everything it has.") {
            api, call async throws(StoreError) in try await api.remove(call)
        }.documented(204, nil),
    ]

    private static let actions: [APIOperation] = [
        action(.pause, "Stops an asset's transfers and keeps everything."),
        action(.resume, "Goes on with what is missing of an asset."),
        action(.cancel, "Gives an asset's transfer up; keeps what is stored for a day, or purges it."),
        action(.remove, "Deletes an asset with everything it has."),
        APIOperation(.post, "assets/{token}/verify", "verifyAsset", "Reads every stored byte again.") {
            api, call async throws(StoreError) in try await api.verify(call)
        }.takingLong.documented(body: "Object", 200, "Verification"),
        APIOperation(.post, "assets/{token}/repair", "repairAsset", "Fetches what is missing or damaged.") {
            api, call async throws(StoreError) in try await api.repair(call)
        }.takingLong.documented(
            body: "RepairRequest", 202, "Mended",
            details: "Every stored byte is read first, as `verify` does; the answer comes after that."),
        APIOperation(
            .post, "assets/{token}/relink", "relinkAsset",
            "Takes a fresh address of the same stream, and goes on."
        ) {
            api, call async throws(StoreError) in try await api.relink(call)
        }.documented(body: "RelinkRequest", 200, "Relinked"),
        APIOperation(
            .post, "assets/{token}/tracks", "changeTracks",
            "Adds renditions and subtitle files to an asset, or removes some."
        ) { api, call async throws(StoreError) in try await api.tracks(call) }
        .documented(body: "TracksRequest", 202, "Widened"),
        APIOperation(.post, "control", "controlAssets", "Does one thing to several assets, or to all.") {
            api, call async throws(StoreError) in try await api.control(call)
        }.documented(
            body: "ControlRequest", 200, "ControlReport",
            details: "An asset for which it can't be done is among the refused ones, and hinders no other."),
    ]

    private static let others: [APIOperation] = [
        APIOperation(.post, "probe", "probeStream", "Tells what a stream offers.") {
            api, call async throws(StoreError) in try await api.probe(call)
        }.documented(body: "Download", 200, "Offer"),
        APIOperation(.post, "estimate", "estimateDownload", "Estimates how many bytes a download would take.")
        {
            api, call async throws(StoreError) in try await api.estimate(call)
        }.documented(body: "Download", 200, "Estimate"),
        APIOperation(.get, "openapi.json", "getDescription", "Describes this API.") {
            api, _ async throws(StoreError) in try await api.openAPI()
        },
        APIOperation(
            .post, "import", "importFolder", "Makes an asset of a folder of plain HLS on this machine."
        ) {
            api, call async throws(StoreError) in try await api.importing(call)
        }.takingLong.documented(body: "ImportRequest", 201, "Imported"),
        APIOperation(
            .get, "events", "followEvents", "Follows everything that happens, as Server-Sent Events."
        ) {
            api, call async throws(StoreError) in try await api.events(call)
        }.documented(
            query: [
                (
                    "since", APISchemas.event,
                    "replay what came after this event (0: all that is kept); the field Last-Event-ID counts before it"
                )
            ], 200, "Text", type: MediaType.events,
            details:
                "Each message has the event's name as `event`, its id as `id`, and as `data` an Event; `progress` has a Progress and `activity` an ActivityChange, and no id: they are not kept and not replayed. `activity` tells that a download begins to retry, to wait or to stall, at most every 10 s that it still does, and that it has recovered. `gap` says that events were asked for that are not kept any more, or never were of this store: list the assets anew. A line that begins with a colon is a sign of life, every 15 s."
        ),
        APIOperation(
            .get, "activity", "getActivity", "Tells what is being done for assets, and how fast."
        ) {
            api, _ async throws(StoreError) in try await api.activity()
        }.documented(
            200, "ActivityList",
            details:
                "Only assets that run, or wait since something failed. No file is looked at, so that it may be asked often."
        ),
        APIOperation(.get, "settings", "getSettings", "Tells when and how fast the engine downloads.") {
            api, _ async throws(StoreError) in try await api.showSettings()
        }.documented(200, "Settings"),
        APIOperation(
            .patch, "settings", "changeSettings",
            "Changes when and how fast the engine downloads, until it ends."
        ) {
            api, call async throws(StoreError) in try await api.changeSettings(call)
        }.documented(body: "SettingsEdit", 200, "Settings"),
        APIOperation(.get, "storage", "getStorage", "Tells who uses which bytes.") {
            api, _ async throws(StoreError) in try await api.storage()
        }.documented(200, "Storage"),
        APIOperation(
            .post, "storage/prune", "pruneStorage",
            "Frees what the policy lets go, or only says what would go."
        ) {
            api, call async throws(StoreError) in try await api.prune(call)
        }.takingLong.documented(body: "PruneRequest", 200, "PruneReport"),
    ]

    private static func action(_ action: AssetAction, _ summary: String) -> APIOperation {
        APIOperation(.post, "assets/{token}/\(action.rawValue)", "\(action.rawValue)Asset", summary) {
            api, call async throws(StoreError) in try await api.act(action, call)
        }.documented(
            body: action == .cancel ? "CancelRequest" : action == .resume ? "ResumeRequest" : "Object", 200,
            action == .remove ? "Removed" : "Asset")
    }
}
