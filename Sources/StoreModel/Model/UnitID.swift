internal import Locking
internal import SystemPackage

/// The identity of a unit within its asset.
package struct UnitID: Hashable, Sendable, CustomStringConvertible {
    package var rendition: String
    package var kind: UnitKind
    package var number: Int

    package init(rendition: String, kind: UnitKind, number: Int) {
        self.rendition = rendition
        self.kind = kind
        self.number = number
    }

    package var description: String { "\(rendition)/\(kind)/\(number)" }
}

/// The identity of a unit among all assets of a store: by its asset and unit ID, never by its URL.
package struct UnitKey: Hashable, Sendable {
    package var token: AssetToken
    package var unit: UnitID

    package init(token: AssetToken, unit: UnitID) {
        self.token = token
        self.unit = unit
    }
}
