internal import CPangoCairo

/// Why no picture can be painted.
public enum RasterError: Error, Sendable, Hashable {
    /// Pango and Cairo are not installed.
    case librariesMissing
    /// There is not enough memory for the picture.
    case outOfMemory
}

extension RasterError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .librariesMissing:
            "Pango and Cairo are missing, which paint subtitles; install libpangocairo-1.0-0"
        case .outOfMemory: "there is not enough memory for the picture"
        }
    }
}

/// Pango and Cairo, loaded once at the first use.
enum PangoLibrary {
    private static let isLoaded = cpc_load() == 0

    static func load() throws(RasterError) {
        guard isLoaded else { throw .librariesMissing }
    }

    /// A length of Pango in pixels.
    static func pixels(_ units: Int32) -> Double { Double(units) / Double(CPC_SCALE) }
}
