/// The body of `PUT /assets/{token}/position`.
struct PositionBody: Decodable {
    /// Seconds from the beginning of the presentation.
    var position: Double
    var watched: Bool?

    /// Whether it is a place in a presentation.
    var isSound: Bool { position.isFinite && (0...1e9).contains(position) }
}
