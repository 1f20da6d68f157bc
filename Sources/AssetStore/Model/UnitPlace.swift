internal import Locking
internal import SystemPackage

/// The name of a unit in its asset.
struct UnitPlace: Hashable, Sendable, CustomStringConvertible {
    var rendition: String
    var kind: UnitKind
    var number: Int

    var description: String { "\(rendition)/\(kind)/\(number)" }
}

/// The permanent name of a unit: where it belongs, never where it came from.
struct UnitKey: Hashable, Sendable {
    var token: AssetToken
    var place: UnitPlace
}
