/// The names of the files that hold units: segments and initialization sections.
package enum UnitFile {
    /// The file of a media segment, by its media sequence number.
    package static func segment(_ number: Int, _ format: ContainerFormat) -> String {
        "\(number).\(format.rawValue)"
    }

    /// The file of an initialization section, by its place in the playlist.
    package static func initialization(_ number: Int) -> String { "init-\(number).mp4" }
}
