package import StoreReading

/// Availability in words.
package enum PlayableReport {
    package static func sentence(_ asset: Asset) -> String {
        let availability = asset.availability
        let terms =
            asset.mediaPlace.map { "without its origin, while \($0) can be reached" } ?? "with no network"
        guard !availability.offline else {
            let missing = asset.health.missingSeconds
            return missing > 0
                ? "plays \(terms), but for \(HumanUnits.duration(missing)) that are missing"
                : "plays \(terms)"
        }
        let why = availability.blockedBy.map { words($0, of: asset) }.joined(separator: ", ")
        let until = availability.fromStartUntil
        let part =
            until > 0
            ? "plays the first \(HumanUnits.duration(until)) of \(HumanUnits.duration(asset.duration))"
            : "does not play"
        return "\(part) \(terms): \(why)"
    }

    private static func words(_ obstacle: Availability.Obstacle, of asset: Asset) -> String {
        switch obstacle {
        case .playlistMissing: "a playlist is damaged or gone (\(Remedy.repair) makes it again)"
        case .segmentsMissing where asset.state.isUnderWay: "segments are not stored yet"
        case .initializationMissing where asset.state.isUnderWay:
            "initialization sections are not stored yet"
        case .segmentsMissing:
            "segments are not stored (\(Remedy.download) fetches them)"
        case .segmentDamaged:
            "stored segments are damaged or gone (\(Remedy.repair) fetches them again)"
        case .undecodable where HealthReport.isOfFolder(asset):
            "no player can decode some of its segments, which are the same in the imported folder"
        case .undecodable:
            "no player can decode some of its segments (\(Remedy.repair) fetches them again)"
        case .initializationMissing:
            "initialization sections are not stored (\(Remedy.download) fetches them)"
        case .unreadable: "its files can't be read (\(Remedy.lookAtPlayability) says why)"
        case .keyMissing where asset.health.problems.contains { $0.advice == .addKey }:
            "a content key is missing (\(Remedy.addKey) gives one)"
        case .keyMissing:
            "a content key is missing (\(Remedy.renewLicense) asks for it, \(Remedy.addKey) gives one)"
        case .notResolved: "its playlists are not read yet"
        case .licenseExpired: "its license has expired (\(Remedy.renewLicense) gets a new one)"
        case .licenseRevoked:
            "its license was revoked (\(Remedy.renewLicense) gets a new one, or `key add` where keys were given)"
        case .clockMovedBack: "the system's clock was set back"
        }
    }
}

extension AssetState {
    /// Whether the asset makes progress by itself.
    package var isUnderWay: Bool { self == .resolving || self == .queued || self == .downloading }
}
