package import StoreReading

/// The data of the events of `GET /events`.
package enum EventDocument {
    /// An event as JSON, also for hooks.
    package static func json(_ event: AssetEvent) -> JSONValue {
        [
            "id": .integer(event.id), "type": .string(event.kind.rawValue), "at": .string(event.at.rfc3339),
            "token": .string(event.token.description), "from": JSONValue(event.from?.rawValue),
            "state": JSONValue(event.state?.rawValue), "reason": JSONValue(event.reason),
            "error": AssetDocument.json(event.failure),
        ]
    }

    /// The work on an asset.
    package static func json(_ token: AssetToken, _ activity: AssetActivity?) -> JSONValue {
        ["token": .string(token.description), "activity": AssetDocument.json(activity)]
    }

    /// How far a download is.
    package static func json(_ progress: AssetProgress) -> JSONValue {
        [
            "token": .string(progress.token.description), "progress": JSONValue(progress.progress),
            "stored": .integer(progress.storedBytes), "expected": JSONValue(progress.expectedBytes),
            "speed": JSONValue(progress.speed),
        ]
    }
}
