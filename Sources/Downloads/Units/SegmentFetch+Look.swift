internal import MediaContainers

/// The facts of a unit that was fetched completely.
package struct FetchedUnit: Sendable {
    /// The result of the look at its bytes.
    package var finding: UnitFinding
    /// The wrapping that was taken off, such as `PNG` or `gzip`.
    package var disguise: String?

    package init(finding: UnitFinding, disguise: String? = nil) {
        (self.finding, self.disguise) = (finding, disguise)
    }
}

extension SegmentFetch {
    /// Judges the bytes of a complete unit. The bytes decide, not their label: some origins label media as web pages,
    /// and some send web pages as media.
    package func verdict(of arrival: Arrival) throws(StoreError) -> UnitInspector.Verdict {
        if file.watermark == 0, blank != nil, !arrival.isUnmeasured { return .sound(.webVTT) }
        var inspector = inspector
        inspector.isPromised = inspector.isPromised || habits.haveBroughtMedia(of: inspector.rendition)
        let verdict = try inspector.verdict(of: PartialBytes(file: file))
        switch verdict {
        case .sound(.unknown) where arrival.isLabelledPage, .bad(.unrecognized) where arrival.isLabelledPage,
            .bad(.text) where arrival.isLabelledPage:
            return .bad(.html)
        case .sound(let finding):
            if finding.isKnownMedia { habits.sawMedia(of: inspector.rendition) }
            let hasEnd = inspector.encryption == .none && (finding == .transportStream || finding == .mp4)
            return arrival.isUnmeasured && !hasEnd ? .doubtful(.endless, finding) : verdict
        case .doubtful, .bad: return verdict
        }
    }

    /// Notes that a disguise was removed from a unit: the next segments may have one, too.
    func noted(_ unwrapped: FetchedUnit?) -> FetchedUnit? {
        if unwrapped != nil { habits.sawDisguise() }
        return unwrapped
    }
}

extension IntegrityProblem {
    /// Whether the bytes are a web page or another text, not media. Origins and captive portals send such answers. They
    /// may be temporary, even if the same answer came several times.
    var isMessage: Bool {
        switch self {
        case .html, .text: true
        default: false
        }
    }

    /// Whether the bytes are the beginning of media, so that more bytes may help.
    var mayBeCutOff: Bool {
        switch self {
        case .undecodable(.boxCut), .undecodable(.samplesBeyondData), .undecodable(.noMediaData), .cutOff:
            true
        default: false
        }
    }
}
