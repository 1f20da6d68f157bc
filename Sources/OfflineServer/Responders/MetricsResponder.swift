internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Answers `/metrics` in the Prometheus text format, version 0.0.4.
struct MetricsResponder: Sendable {
    let store: OfflineStore

    func answer(_ request: Request) -> Answer {
        .later(deadline: .seconds(30)) { _ in
            do throws(StoreError) {
                let figures = try await store.housekeeper.figures()
                var response = Response(text: Self.text(figures))
                response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
                return response
            } catch {
                return error.problem().response
            }
        }
    }

    static func text(_ figures: StoreFigures) -> String {
        var lines = [
            "# HELP offline_server_info The version that runs.", "# TYPE offline_server_info gauge",
            "offline_server_info{version=\"\(Version.current)\"} 1",
            "# HELP offline_server_assets Assets by state.", "# TYPE offline_server_assets gauge",
        ]
        for state in AssetState.allCases {
            lines.append("offline_server_assets{state=\"\(state.rawValue)\"} \(figures.assets[state] ?? 0)")
        }
        lines += [
            "# HELP offline_server_assets_health Assets by health.",
            "# TYPE offline_server_assets_health gauge",
        ]
        for level in Health.Level.allCases {
            lines.append(
                "offline_server_assets_health{health=\"\(level.rawValue)\"} \(figures.health[level] ?? 0)")
        }
        for (name, help, value) in figures.gauges {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
        }
        lines += [
            "# HELP offline_server_events_total Events in the history of the store.",
            "# TYPE offline_server_events_total counter", "offline_server_events_total \(figures.events)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}

extension StoreFigures {
    fileprivate var gauges: [(String, String, Int64)] {
        [
            ("offline_server_stored_bytes", "Bytes of media that are stored.", storedBytes),
            ("offline_server_free_bytes", "Bytes that the file system has left.", freeBytes ?? 0),
            ("offline_server_downloads", "Downloads that run now.", Int64(downloads)),
            ("offline_server_download_bytes_per_second", "Bytes that arrive now.", Int64(bytesPerSecond)),
        ]
    }
}
