internal import FoundationEssentials
internal import HLSPlaylist

/// A unit that is durable on disk and about to be entered as stored.
package struct StoredUnit: Sendable {
    package var rendition: Int64
    package var kind: UnitKind
    package var number: Int
    package var size: UInt64
    package var sha256: [UInt8]
    /// The result of the check of its bytes; `nil` if they were not checked.
    package var finding: UnitFinding?
    /// The wrapping that was taken off before it was stored.
    package var disguise: String?
    /// The time of its folder, once the unit is in it.
    package var folderTime: FolderTime?
    /// The version at its origin, for units with which drift is detected later.
    package var version: Validator?
    /// Its object in the bucket of the store's media; `nil` if it is only in the store's folder.
    package var object: String?

    package init(
        rendition: Int64, kind: UnitKind, number: Int, size: UInt64, sha256: [UInt8],
        finding: UnitFinding? = nil, disguise: String? = nil, folderTime: FolderTime? = nil,
        version: Validator? = nil
    ) {
        self.rendition = rendition
        self.kind = kind
        self.number = number
        self.size = size
        self.sha256 = sha256
        self.finding = finding
        self.disguise = disguise
        self.folderTime = folderTime
        self.version = version
    }
}

/// A unit that is missing or damaged.
package struct AbsentRow: Sendable, Hashable {
    package var rendition: Int64
    package var kind: UnitKind
    package var number: Int
    /// Whether it is gone or damaged.
    package var finding: UnitFinding

    package init(rendition: Int64, kind: UnitKind, number: Int, finding: UnitFinding) {
        self.rendition = rendition
        self.kind = kind
        self.number = number
        self.finding = finding
    }
}

extension AbsentRow {
    package init(_ unit: UnitRecord, of row: RenditionRecord, isGone: Bool) {
        self.init(
            rendition: row.id, kind: unit.kind, number: unit.number, finding: isGone ? .gone : .damaged)
    }
}
