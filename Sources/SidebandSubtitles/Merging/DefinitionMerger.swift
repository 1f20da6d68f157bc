/// Unites the style sheets and regions of many files.
struct DefinitionMerger {
    private(set) var styles: [String] = []
    private(set) var regions: [CueRegion] = []
    private var knownStyles: Set<String> = []
    private var names: Set<String> = []
    /// The number given last to a region of a name that was taken.
    private var latestNumber: [String: Int] = [:]
    /// The new name of each region, by the region in its file.
    private var nameOf: [CueRegion: String] = [:]

    /// Adds a file's definitions, each of them once.
    ///
    /// - Returns: the new name of each region whose name was taken by a different one.
    mutating func add(_ track: SubtitleTrack, limit: Int) -> [String: String] {
        for style in track.styles where styles.count < limit && knownStyles.insert(style).inserted {
            styles.append(style)
        }
        var renamed: [String: String] = [:]
        for region in track.regions {
            let name = add(region, limit: limit)
            renamed[region.identifier] = name == region.identifier ? nil : name
        }
        return renamed
    }

    private mutating func add(_ region: CueRegion, limit: Int) -> String {
        if let name = nameOf[region] { return name }
        guard regions.count < limit else { return region.identifier }
        var added = region
        while names.contains(added.identifier) {
            let number = latestNumber[region.identifier, default: 1] + 1
            latestNumber[region.identifier] = number
            added.identifier = "\(region.identifier)-\(number)"
        }
        names.insert(added.identifier)
        nameOf[region] = added.identifier
        regions.append(added)
        return added.identifier
    }
}
