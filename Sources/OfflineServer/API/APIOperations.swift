internal import APIDocuments
internal import AssetStore
internal import HTTPTypes

extension APIOperation {
    /// All operations of the API; those of one path stand together.
    static let all: [APIOperation] = assets + actions + licenses + others + viewing + sessions

    /// The path of an asset.
    static let assetTemplate = "assets/{token}"

    private static let assets: [APIOperation] = [
        APIOperation(.get, "assets", name: "listAssets", summary: "Lists assets, the newest first.") {
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
                    "the most assets to list: 100 unless given, 1000 at most"
                ),
                ("tag", APISchemas.text.with(example: "kids"), "only assets with this tag"),
                (
                    "view", APISchemas.oneOf(["full", "summary"]).with(example: "summary"),
                    "summary: without renditions, time ranges, problems and other long members"
                ),
                ("before", APISchemas.token, "only assets older than this token: the \"next\" of an answer"),
            ], 200, "AssetList"),
        APIOperation(
            .post, "assets", name: "addAssets",
            summary: "Makes an asset of a stream, or of each of many, and queues its download."
        ) {
            api, call async throws(StoreError) in try await api.add(call)
        }.documented(
            body: "DownloadRequest", 201, "Added",
            other: (
                200,
                "nothing had to be added, with \"next\"; or the same request came before, with the same key"
            ),
            details:
                "The answer to one download is its asset; the answer to several has their tokens and addresses, in the same order. Playlists are read after the answer; a stream that can't be read becomes `failed`, with the reason. The same stream may be stored more than once; use `name` and `meta` to find yours again. With the field `Idempotency-Key`, or a `client_id`, an asset is made once: the same request under the same key answers with the same asset, and another request under that key is refused (422). This holds after a restart, too, for as long as the asset exists."
        ),
        APIOperation(.get, assetTemplate, name: "getAsset", summary: "Shows everything known about an asset.")
        {
            api, call async throws(StoreError) in try await api.show(call)
        }.documented(
            200, "Asset",
            details:
                "Its `ETag` changes with every part of the answer, except the address by which the server is asked. `PATCH` and `DELETE` honor it in `If-Match` (412)."
        ),
        APIOperation(
            .get, "assets/{token}/request", name: "getRequest",
            summary: "Shows the body of `POST /assets` that would make the asset again, without secrets."
        ) {
            api, call async throws(StoreError) in try await api.showRequest(call)
        }.documented(
            200, "Download",
            details:
                "Header values, cookies, user information and the query of the address are left out: add them."
        ),
        APIOperation(
            .patch, assetTemplate, name: "editAsset",
            summary:
                "Changes an asset's name, priority, metadata, pin, download limits, or the headers and credentials for its origin."
        ) {
            api, call async throws(StoreError) in try await api.edit(call)
        }.documented(
            body: "AssetEdit", 200, "Asset",
            details:
                "A header field replaces earlier ones of the same name, and an empty value removes it. A download that its origin has refused is tried again."
        ),
        APIOperation(
            .delete, assetTemplate, name: "deleteAsset", summary: "Deletes an asset with everything it has."
        ) {
            api, call async throws(StoreError) in try await api.remove(call)
        }.documented(204, nil),
    ]

    private static let actions: [APIOperation] = [
        action(.pause, "Stops an asset's download; everything stored stays."),
        action(.resume, "Continues the download of an asset."),
        action(.cancel, "Gives an asset's download up; stored media are kept for a day, or purged."),
        action(.remove, "Deletes an asset with everything it has."),
        APIOperation(
            .post, "assets/{token}/verify", name: "verifyAsset", summary: "Reads every stored byte again."
        ) {
            api, call async throws(StoreError) in try await api.verify(call)
        }.takingLong.documented(body: "Object", 200, "Verification"),
        APIOperation(
            .post, "assets/{token}/repair", name: "repairAsset",
            summary: "Fetches the missing and damaged segments of an asset."
        ) {
            api, call async throws(StoreError) in try await api.repair(call)
        }.takingLong.documented(
            body: "RepairRequest", 202, "Mended",
            details: "Every stored byte is read first, as by `verify`; the answer comes after that."),
        APIOperation(
            .post, "assets/{token}/relink", name: "relinkAsset",
            summary: "Gives an asset a fresh address of the same stream, and continues its download."
        ) {
            api, call async throws(StoreError) in try await api.relink(call)
        }.documented(body: "RelinkRequest", 200, "Relinked"),
        APIOperation(
            .post, "assets/{token}/tracks", name: "changeTracks",
            summary: "Adds renditions and subtitle files to an asset, or removes some."
        ) { api, call async throws(StoreError) in try await api.tracks(call) }
        .documented(body: "TracksRequest", 202, "Widened"),
        APIOperation(
            .post, "control", name: "controlAssets",
            summary: "Applies one action to several assets, or to all."
        ) {
            api, call async throws(StoreError) in try await api.control(call)
        }.documented(
            body: "ControlRequest", 200, "ControlReport",
            details: "An asset that the action can't be applied to is listed in `refused`; the others go on."),
    ]

    private static let others: [APIOperation] = [
        APIOperation(.post, "probe", name: "probeStream", summary: "Shows what a stream offers.") {
            api, call async throws(StoreError) in try await api.probe(call)
        }.documented(body: "Download", 200, "Offer"),
        APIOperation(
            .post, "estimate", name: "estimateDownload",
            summary: "Estimates how many bytes a download would take."
        ) {
            api, call async throws(StoreError) in try await api.estimate(call)
        }.documented(body: "Download", 200, "Estimate"),
        APIOperation(.get, "openapi.json", name: "getDescription", summary: "Describes this API.") {
            api, _ async throws(StoreError) in try await api.openAPI()
        },
        APIOperation(
            .post, "import", name: "importFolder",
            summary: "Makes an asset of a folder of plain HLS on this machine."
        ) {
            api, call async throws(StoreError) in try await api.importing(call)
        }.takingLong.documented(body: "ImportRequest", 201, "Imported"),
        APIOperation(
            .get, "events", name: "followEvents",
            summary: "Follows the events of the store, as Server-Sent Events."
        ) {
            api, call async throws(StoreError) in try await api.events(call)
        }.documented(
            query: [
                (
                    "since", APISchemas.event,
                    "replay the events after this one (0: all that are kept); the field Last-Event-ID takes precedence"
                )
            ], 200, "Text", type: MediaType.events,
            details:
                "Each message has the event's name as `event`, its id as `id`, and as `data` an Event; `progress` has a Progress and `activity` an ActivityChange, and no id: they are not kept and not replayed. `activity` tells that a download begins to retry, to wait or to stall, at most every 10 s that it still does, and that it has recovered. `gap` says that the store no longer has the events after `since`, or never had them: list the assets again. A line that begins with a colon is a sign of life, every 15 s."
        ),
        APIOperation(
            .get, "activity", name: "getActivity", summary: "Lists the current work on assets, and its speed."
        ) {
            api, _ async throws(StoreError) in try await api.activity()
        }.documented(
            200, "ActivityList",
            details:
                "Only assets that are being downloaded, or that wait after a failure. The answer needs no file access, so clients may ask often."
        ),
        APIOperation(
            .get, "settings", name: "getSettings", summary: "Shows when and how fast the engine downloads."
        ) {
            api, _ async throws(StoreError) in try await api.showSettings()
        }.documented(200, "Settings"),
        APIOperation(
            .patch, "settings", name: "changeSettings",
            summary: "Changes when and how fast the engine downloads, until it ends."
        ) {
            api, call async throws(StoreError) in try await api.changeSettings(call)
        }.documented(body: "SettingsEdit", 200, "Settings"),
        APIOperation(
            .get, "nodes", name: "listNodes", summary: "Lists the machines that share the store."
        ) {
            api, _ async throws(StoreError) in try await api.nodes()
        }.documented(
            200, "NodeList",
            details:
                "Empty for a store of one machine. Only the active node answers; the others say 503 and which one that is."
        ),
        APIOperation(.get, "storage", name: "getStorage", summary: "Shows how much space each asset takes.") {
            api, call async throws(StoreError) in try await api.storage(call)
        }.documented(
            query: [
                (
                    "limit", APISchemas.limit.with(example: 50),
                    "the most assets to list, the largest first: all unless given, else 1000 at most"
                )
            ], 200, "Storage"),
        APIOperation(
            .post, "storage/prune", name: "pruneStorage",
            summary: "Frees bytes by the storage policy, or lists what would be deleted."
        ) {
            api, call async throws(StoreError) in try await api.prune(call)
        }.takingLong.documented(body: "PruneRequest", 200, "PruneReport"),
    ]

    private static func action(_ action: AssetAction, _ summary: String) -> APIOperation {
        APIOperation(
            .post, "assets/{token}/\(action.rawValue)", name: "\(action.rawValue)Asset", summary: summary
        ) {
            api, call async throws(StoreError) in try await api.act(action, call)
        }.documented(
            body: action == .cancel ? "CancelRequest" : action == .resume ? "ResumeRequest" : "Object", 200,
            action == .remove ? "Removed" : "Asset")
    }
}
