internal import Locking
internal import SystemPackage

/// The name of a unit in its asset.
package struct UnitPlace: Hashable, Sendable, CustomStringConvertible {
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

/// The permanent name of a unit: where it belongs, never where it came from.
package struct UnitKey: Hashable, Sendable {
    package var token: AssetToken
    package var place: UnitPlace

    package init(token: AssetToken, place: UnitPlace) {
        self.token = token
        self.place = place
    }
}
