package import StoreReading

/// Figures that only a running engine knows, in the asset object.
extension AssetDocument {
    package init(asset: Asset, server: String?, live: LiveFigures) {
        self.init(
            asset: asset, server: server, speed: live.speed, inFlight: live.inFlight, activity: live.activity)
    }

    /// The member `activity`.
    package static func json(_ activity: AssetActivity?) -> JSONValue {
        guard let activity else { return .null }
        return [
            "doing": .string(activity.doing.rawValue), "since": .string(activity.since.rfc3339),
            "attempt": JSONValue(activity.attempt), "of": JSONValue(activity.of),
            "last_error": json(activity.lastError), "next_try_at": JSONValue(activity.nextTryAt?.rfc3339),
            "stalled_since": JSONValue(activity.stalledSince?.rfc3339),
        ]
    }

    /// The member `room`.
    package static func json(_ room: RoomShortage?) -> JSONValue {
        guard let room else { return .null }
        return [
            "needed": room.needed > 0 ? .integer(Int64(clamping: room.needed)) : .null,
            "free": .integer(Int64(clamping: room.free)), "limit": .string(room.limit.rawValue),
            "size": .integer(Int64(clamping: room.size)),
        ]
    }
}

/// The answer of `GET /activity`: the figures of assets that run, or that wait after a failure.
package struct ActivityDocument {
    private let figures: [AssetToken: LiveFigures]

    package init(_ figures: [AssetToken: LiveFigures]) { self.figures = figures }

    package var json: JSONValue {
        let assets = figures.sorted { $0.key < $1.key }.map { token, live -> JSONValue in
            [
                "token": .string(token.description), "speed": JSONValue(live.speed),
                "in_flight": .integer(live.inFlight), "activity": AssetDocument.json(live.activity),
            ]
        }
        return ["assets": .array(assets)]
    }
}
