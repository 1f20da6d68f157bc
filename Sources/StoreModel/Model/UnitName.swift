internal import HLSPlaylist
internal import SystemPackage

/// A part of an asset, as a URL names it.
package enum UnitName: Hashable, Sendable {
    /// A media segment, by its media sequence number.
    case segment(Int)
    /// An initialization section, by its place in the playlist.
    case initialization(Int)
}

extension UnitName {
    package var parts: (UnitKind, Int) {
        switch self {
        case .segment(let number): (.segment, number)
        case .initialization(let number): (.initialization, number)
        }
    }
}
