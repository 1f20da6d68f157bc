extension SampleMedia {
    /// A box with a version, flags and big-endian numbers of 4 bytes.
    public static func fullBox(_ type: String, flags: Int, _ numbers: [Int]) -> [UInt8] {
        box(type, ProtectedMovie.number(flags, 4) + numbers.flatMap { ProtectedMovie.number($0, 4) })
    }

    /// A big-endian number of 8 bytes.
    public static func number64(_ value: Int) -> [UInt8] { ProtectedMovie.number(value, 8) }

    /// A track fragment: its header is based on the fragment, and each run has its samples' sizes.
    ///
    /// - Parameters:
    ///   - offset: where the samples of the first run begin, in bytes from the beginning of the fragment.
    ///   - runs: the sizes of the samples of each run.
    public static func track(_ id: Int, offset: Int, runs: [[Int]]) -> [UInt8] {
        let header = fullBox("tfhd", flags: 0x20000, [id])
        let all = runs.enumerated().flatMap { index, sizes in
            fullBox(
                "trun", flags: index == 0 ? 0x201 : 0x200,
                [sizes.count] + (index == 0 ? [offset] : []) + sizes)
        }
        return box("traf", header + all)
    }

    /// A movie fragment of these track fragments.
    public static func movieFragment(_ tracks: [UInt8]...) -> [UInt8] { movieFragment(tracks) }

    /// A movie fragment of these track fragments.
    public static func movieFragment(_ tracks: [[UInt8]]) -> [UInt8] {
        box("moof", fullBox("mfhd", flags: 0, [1]) + tracks.flatMap(\.self))
    }

    /// A fragment with one track and its media data.
    ///
    /// - Parameter missing: bytes that the media data are too short.
    public static func fragment(samples: [Int], missing: Int = 0, seed: UInt64 = 1) -> [UInt8] {
        let length = movieFragment(track(1, offset: 0, runs: [samples])).count
        let fragment = movieFragment(track(1, offset: length + 8, runs: [samples]))
        let data = OriginResource.pattern(samples.reduce(0, +) - missing, seed: seed)
        return fragment + box("mdat", data)
    }
}
