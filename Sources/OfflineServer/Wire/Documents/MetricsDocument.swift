package import AssetStore

/// The document of `/metrics`, in the text format of Prometheus, version 0.0.4.
package struct MetricsDocument {
    /// A metric with its values.
    private struct Metric {
        var name: String
        var kind = "gauge"
        var help: String
        /// The name of the label that the values have; `nil` when there is one value without a label.
        var label: String?
        /// Each value, behind the value of its label.
        var values: [(label: String, value: String)]
    }

    private let metrics: [Metric]

    /// The metrics of a server that serves a store.
    package init(_ figures: StoreFigures) {
        metrics =
            [Self.version, Self.assets(figures), Self.waiting(figures), Self.health(figures)]
            + Self.amounts(figures) + [Self.events(figures)]
            + (figures.sharing.map { [Self.active(true)] + Self.sharing($0) } ?? [])
    }

    /// The metrics of a node that does not serve the store.
    private init() { metrics = [Self.active(false)] }

    /// The metrics of a node that does not serve the store. They tell no more than `/readyz`, as everybody may ask.
    static var ofWaitingNode: MetricsDocument { MetricsDocument() }

    /// The text that is answered.
    package var text: String {
        var lines: [String] = []
        for metric in metrics {
            lines += ["# HELP \(metric.name) \(metric.help)", "# TYPE \(metric.name) \(metric.kind)"]
            for (label, value) in metric.values {
                let labels = metric.label.map { "{\($0)=\"\(label)\"}" } ?? ""
                lines.append("\(metric.name)\(labels) \(value)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All metrics, with what the manual says of them.
    package static var reference: JSONValue {
        var figures = StoreFigures()
        figures.sharing = .init()
        let lone = Set(MetricsDocument(StoreFigures()).metrics.map(\.name))
        return .array(
            MetricsDocument(figures).metrics.map { metric in
                let values: [JSONValue] =
                    metric.label == nil || metric.label == "version"
                    ? [] : metric.values.map { .string($0.label) }
                return [
                    "name": .string(metric.name), "type": .string(metric.kind),
                    "label": JSONValue(metric.label), "values": .array(values),
                    "meaning": .string(metric.help),
                    "shared": .bool(!lone.contains(metric.name)),
                ]
            })
    }

    // MARK: The store

    private static var version: Metric {
        Metric(
            name: "offline_server_info", help: "The version that runs.", label: "version",
            values: [(Version.current, "1")])
    }

    private static func assets(_ figures: StoreFigures) -> Metric {
        Metric(
            name: "offline_server_assets", help: "Assets by state.", label: "state",
            values: AssetState.allCases.map { ($0.rawValue, "\(figures.assets[$0] ?? 0)") })
    }

    private static func waiting(_ figures: StoreFigures) -> Metric {
        let reasons =
            [StateReason.slot.rawValue, StateReason.link.rawValue] + WaitReason.allCases.map(\.rawValue)
        return Metric(
            name: "offline_server_queued", help: "Queued assets by the reason for which they wait.",
            label: "reason",
            values: reasons.map { ($0, "\(figures.waiting[$0] ?? 0)") })
    }

    private static func health(_ figures: StoreFigures) -> Metric {
        Metric(
            name: "offline_server_assets_health", help: "Assets by health.", label: "health",
            values: Health.Level.allCases.map { ($0.rawValue, "\(figures.health[$0] ?? 0)") })
    }

    private static func amounts(_ figures: StoreFigures) -> [Metric] {
        let amounts: [(name: String, help: String, value: Int64)] = [
            ("stored_bytes", "Bytes of media that are stored.", figures.storedBytes),
            ("free_bytes", "Bytes that the file system has left.", figures.freeBytes ?? 0),
            ("downloads", "Downloads that run now.", Int64(figures.downloads)),
            ("download_bytes_per_second", "Bytes that arrive now.", Int64(figures.bytesPerSecond)),
        ]
        return amounts.map {
            Metric(name: "offline_server_\($0.name)", help: $0.help, values: [("", "\($0.value)")])
        }
    }

    private static func events(_ figures: StoreFigures) -> Metric {
        Metric(
            name: "offline_server_events_total", kind: "counter", help: "Events in the history of the store.",
            values: [("", "\(figures.events)")])
    }

    // MARK: A shared store

    private static func active(_ isActive: Bool) -> Metric {
        Metric(
            name: "offline_server_node_active",
            help: "1 of the node that serves the shared store, 0 of one that stands by.",
            values: [("", isActive ? "1" : "0")])
    }

    private static func sharing(_ sharing: StoreFigures.Sharing) -> [Metric] {
        [
            Metric(
                name: "offline_server_nodes", help: "Nodes of the shared store by role.",
                label: "role",
                values: NodeRecord.Role.allCases.map { ($0.rawValue, "\(sharing.nodes[$0] ?? 0)") }),
            Metric(
                name: "offline_server_store_epoch", help: "How often the shared store has changed hands.",
                values: [("", "\(sharing.epoch)")]),
            Metric(
                name: "offline_server_lease_seconds",
                help:
                    "Seconds for which the node may go on without the catalog's database: 7 after each renewal, one each 2 s.",
                values: [("", "\(Double(sharing.rest) / 1000)")]),
        ]
    }
}
