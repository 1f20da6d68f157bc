#if DEBUG || FUZZING
    @testable internal import StorePlanning
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel
    internal import Foundation
    @testable internal import APIDocuments
    @testable internal import OfflineServer

    extension FuzzTarget {
        static let program = [
            FuzzTarget("route", tokens: routeTokens) { bytes throws(Finding) in
                let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1).map {
                    String(decoding: $0, as: UTF8.self)
                }
                let query = QueryItems(parts.last)
                _ = (query.liveView, query.isClear, query.isAvailableOnly, query["audio"])
                guard let path = parts.first, let route = Route(path: path) else { return }
                try Finding.expect(printed(route) == path, "a path has one spelling")
            },
            FuzzTarget("json-body", tokens: jsonTokens) { bytes throws(Finding) in
                if let body = DownloadBody(bytes) {
                    let again = (try? DownloadBody.json(body.request)).flatMap { DownloadBody($0) }
                    try Finding.expect(again != nil, "what is asked for can be asked for again")
                    try Finding.expect(again?.url == body.url, "it is the same stream")
                }
                if let list = DownloadList(bytes) { _ = list.assets.map(\.request) }
                _ = LicenseBody(bytes)?.terms
                let tracks: TracksBody? = JSONBody.decode(bytes)
                _ = tracks?.isEmpty
                try Bodies.check(bytes)
            },
            FuzzTarget("steering", tokens: steeringTokens) { bytes throws(Finding) in
                let manifest = try? JSONDecoder().decode(SteeringManifest.self, from: Data(bytes))
                guard let manifest else { return }
                let candidate = AlternativeStreams.Candidate(
                    url: "https://host.test/a/b.m3u8?c=d", pathway: "A", stableID: "s", isRendition: false,
                    isOwn: true)
                for clone in manifest.clones {
                    let made = clone.applied(to: candidate)
                    try Finding.expect(made.pathway == clone.id && !made.isOwn, "a clone is its own pathway")
                }
            },
        ]

        private static let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
        private static let routeTokens = [
            "/assets/\(token)/", "master.m3u8", "media.m3u8", "video-360p/", "0.ts", "init-0.mp4",
            "keys/1.key",
            "subtitles/en", ".vtt", "/frame.png", "session-data/", "/watch/\(token)", "/api/v1/", "..", "%2e",
            "%00",
            "//", "?audio=en&", "start=live", "DVR=30", "decrypt=1", "available=1", "+", "\u{665}",
        ]
        private static let jsonTokens = [
            "{", "}", "[", "]", ",", ":", "\"url\":", "\"https://a.test/b\"", "\"audio\":", "\"all\"",
            "\"max_bitrate\":", "1e999", "-0", "18446744073709551616", "\"rental\":", "\"30d\"", "\"P1D\"",
            "null",
            "true", "\"headers\":", "\"a: b\"", "\"schedule\":", "\"22:00-06:00\"", "\"assets\":",
            "\"next\":",
            "\"meta\":", "\\ud800", "\\u0000", "\"subtitle_files\":", "\"remove\":", "\"duration\":",
            "\"limit_rate\":",
        ]
        private static let steeringTokens = [
            "{\"VERSION\":1,", "\"TTL\":", "\"PATHWAY-PRIORITY\":[", "\"PATHWAY-CLONES\":[",
            "\"BASE-ID\":\"A\",",
            "\"ID\":\"B\",", "\"URI-REPLACEMENT\":{", "\"HOST\":\"c\"", "\"PARAMS\":{",
            "\"PER-VARIANT-URIS\":{",
            "\"s\":", "\"\"", "}", "]", ",", "1e400",
        ]

        private static func printed(_ route: Route) -> String {
            switch route {
            case .library: "/"
            case .watch(let token): "/watch/\(token)"
            case .page(let name): "/app/\(name)"
            case .health: "/healthz"
            case .readiness: "/readyz"
            case .metrics: "/metrics"
            case .asset(let token, let resource): "/assets/\(token)/\(resource.relativePath)"
            case .api(let parts): "/api/v1/" + parts.joined(separator: "/")
            }
        }
    }
#else
    extension FuzzTarget {
        static let program: [FuzzTarget] = []
    }
#endif
