package import APIDocuments
package import AssetStore
internal import Forwarding

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
        if let sharing = figures.sharing, !sharing.hasCatalog {
            metrics =
                [Self.version] + Self.amounts(figures).filter { $0.name == Self.freeBytes }
                + [Self.active(true)] + Self.forwarded(.init()) + Self.sharing(sharing)
            return
        }
        metrics =
            [Self.version, Self.assets(figures), Self.waiting(figures), Self.health(figures)]
            + Self.amounts(figures) + [Self.events(figures)]
            + (figures.sharing.map { [Self.active(true)] + Self.forwarded(.init()) + Self.sharing($0) } ?? [])
    }

    /// The metrics of a node that does not serve the store.
    private init(_ forwarded: RequestForwarder.Counts) {
        metrics = [Self.active(false)] + Self.forwarded(forwarded)
    }

    /// The metrics of a node that does not serve the store. They tell nothing of the store, as everybody may ask.
    static func ofWaitingNode(_ forwarded: RequestForwarder.Counts?) -> MetricsDocument {
        MetricsDocument(forwarded ?? .init())
    }

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
            name: "offline_server_info", help: "Version of the running program.", label: "version",
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
            name: "offline_server_queued", help: "Queued assets by the reason of their wait.",
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
            ("stored_bytes", "Bytes of stored media.", figures.storedBytes),
            ("free_bytes", "Free bytes of the store's file system.", figures.freeBytes ?? 0),
            ("downloads", "Running downloads.", Int64(figures.downloads)),
            (
                "download_bytes_per_second", "Speed of all downloads together, in bytes a second.",
                Int64(figures.bytesPerSecond)
            ),
        ]
        return amounts.map {
            Metric(name: "offline_server_\($0.name)", help: $0.help, values: [("", "\($0.value)")])
        }
    }

    private static let freeBytes = "offline_server_free_bytes"

    private static func events(_ figures: StoreFigures) -> Metric {
        Metric(
            name: "offline_server_events_total", kind: "counter", help: "Events in the history of the store.",
            values: [("", "\(figures.events)")])
    }

    // MARK: A shared store

    private static func active(_ isActive: Bool) -> Metric {
        Metric(
            name: "offline_server_node_active",
            help: "1 on the node that serves the shared store, 0 on a node on standby.",
            values: [("", isActive ? "1" : "0")])
    }

    private static func forwarded(_ counts: RequestForwarder.Counts) -> [Metric] {
        [
            Metric(
                name: "offline_server_node_requests_total", kind: "counter",
                help:
                    "Requests that the node has answered on standby: passed on to the active node for one client, or from segments that it keeps for all clients.",
                label: "answer",
                values: [("passed_on", "\(counts.passedOn)"), ("shared", "\(counts.shared)")]),
            Metric(
                name: "offline_server_node_fetches_total", kind: "counter",
                help:
                    "Requests for segments to keep that the node on standby has sent to the active one, and questions whether a kept segment is still right.",
                values: [("", "\(counts.fetched)")]),
            Metric(
                name: "offline_server_node_objects_total", kind: "counter",
                help: "Segments to keep that the node on standby has read from the bucket.",
                values: [("", "\(counts.objects)")]),
        ]
    }

    /// Metrics of the shared store. The catalog counts the nodes, so their numbers are left out without it.
    private static func sharing(_ sharing: StoreFigures.Sharing) -> [Metric] {
        let nodes = Metric(
            name: "offline_server_nodes", help: "Nodes of the shared store by role.", label: "role",
            values: NodeRecord.Role.allCases.map { ($0.rawValue, "\(sharing.nodes[$0] ?? 0)") })
        return (sharing.hasCatalog ? [nodes] : []) + [
            Metric(
                name: "offline_server_catalog_up",
                help:
                    "1 while the catalog's database answers, else 0. At 0 the metrics that come from the catalog are left out.",
                values: [("", sharing.hasCatalog ? "1" : "0")]),
            Metric(
                name: "offline_server_store_epoch",
                help: "Epoch of the shared store: it grows when another node takes over.",
                values: [("", "\(sharing.epoch)")]),
            Metric(
                name: "offline_server_lease_seconds",
                help:
                    "Seconds until the node ends if it can't renew its lease in the catalog's database. A renewal, every 2 s, sets this to 7.",
                values: [("", "\(Double(sharing.rest) / 1000)")]),
        ]
    }
}
