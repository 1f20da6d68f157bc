package import StoreReading

/// The machines that share a store.
package struct NodesDocument {
    private let nodes: [NodeRecord]

    package init(_ nodes: [NodeRecord]) { self.nodes = nodes }

    package var json: JSONValue {
        [
            "nodes": .array(
                nodes.map { node in
                    [
                        "id": .string(node.id), "url": .string(node.url),
                        "role": .string(node.role.rawValue), "since": .string(node.since.rfc3339),
                        "lease_until": .string(node.leaseUntil.rfc3339),
                    ]
                })
        ]
    }
}

extension NodesDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [("NodeList", nodes)]

        private static let nodes = whole([
            (
                "nodes",
                list(
                    whole([
                        ("id", text.said("The name of this run of the program.")),
                        ("url", text.said("The URL at which others reach it.")),
                        (
                            "role",
                            oneOf(NodeRecord.Role.allCases.map(\.rawValue)).said(
                                "active, draining (about to give the store back), standby, or gone (not heard of for 10 s)."
                            )
                        ),
                        ("since", time.said("When it began, by the database's clock.")),
                        ("lease_until", time.said("The end of its lease, unless it is renewed.")),
                    ])
                ).said("The active node first.")
            )
        ])
    }
}
