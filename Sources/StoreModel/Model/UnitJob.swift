internal import HLSPlaylist
internal import SystemPackage

/// A unit to be fetched, with all that its transfer needs.
package struct UnitJob: Sendable {
    package var unit: UnitRecord
    package var rendition: RenditionRecord

    package init(unit: UnitRecord, rendition: RenditionRecord) {
        self.unit = unit
        self.rendition = rendition
    }

    /// The unit's file in the rendition's folder.
    package var fileName: String { Self.fileName(unit.kind, unit.number, container: rendition.container) }

    /// The file in which it grows, beside its own.
    package var partName: String { ".\(fileName).part" }

    /// The identity of its unit.
    package var id: UnitID {
        UnitID(rendition: rendition.name, kind: unit.kind, number: unit.number)
    }

    /// The bytes that replace an empty segment of the origin: subtitles without cues.
    package var blank: [UInt8]? {
        let isText = rendition.kind == .subtitles && rendition.container == .vtt && unit.kind == .segment
        return isText && !unit.isEncrypted ? Array("WEBVTT\n\n".utf8) : nil
    }

    /// Whether it may end inside a box: the byte range of an I-frame is the beginning of a fragment, up to the end of
    /// its picture (RFC 8216bis, section 4.4.3.6).
    package var mayEndInBox: Bool { rendition.kind == .iframe && unit.kind == .segment && unit.range != nil }

    /// The largest number of bytes if the origin announces no length: four times the size by its bandwidth, or far
    /// more than most units have.
    package var unmeasuredLimit: UInt64 {
        let bandwidth = Double(max(rendition.bandwidth ?? 0, Self.modestBandwidth))
        let likely = bandwidth / 8 * unit.duration
        return UInt64(min(max(Self.unmeasuredFloor, 4 * likely), Double(TransferLimits.segment)))
    }

    /// Bytes that any unit may have.
    private static let unmeasuredFloor = Double(256 << 20)
    /// Bits a second that streams may have which do not tell their bandwidth, or too small a one.
    private static let modestBandwidth = 16_000_000

    package static func fileName(_ kind: UnitKind, _ number: Int, container: ContainerFormat) -> String {
        switch kind {
        case .segment: UnitFile.segment(number, container)
        case .initialization: UnitFile.initialization(number)
        }
    }

    /// Initialization sections first, then by presentation time, so that all renditions advance together.
    package static func isBefore(_ left: UnitJob, _ right: UnitJob) -> Bool {
        let l = (left.unit.kind == .initialization ? 0 : 1, left.unit.start, left.rendition.position)
        let r = (right.unit.kind == .initialization ? 0 : 1, right.unit.start, right.rendition.position)
        return l == r ? left.unit.number < right.unit.number : l < r
    }
}
