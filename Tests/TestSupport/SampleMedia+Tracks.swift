extension SampleMedia {
    /// An initialization section of tracks, by their identifiers and sample entries.
    ///
    /// - Parameter usualSize: the size of samples whose fragment names none.
    public static func movie(_ tracks: [(id: Int, handler: String, entry: [UInt8])], usualSize: Int = 0)
        -> [UInt8]
    {
        let boxes = tracks.flatMap { track in
            let list = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + track.entry)
            let handler = box("hdlr", [UInt8](repeating: 0, count: 8) + Array(track.handler.utf8))
            let media = box("mdia", handler + box("minf", box("stbl", list)))
            return box("trak", fullBox("tkhd", flags: 3, [0, 0, track.id, 0, 0]) + media)
        }
        let defaults = tracks.flatMap { fullBox("trex", flags: 0, [$0.id, 1, 0, usualSize, 0]) }
        return box("ftyp", Array("iso6".utf8)) + box("moov", boxes + box("mvex", defaults))
    }

    /// A sample entry of H.264, with the length of the numbers before its units.
    public static func avcEntry(_ type: String = "avc1", lengthSize: Int = 4, _ more: [UInt8] = []) -> [UInt8]
    {
        let setup = box("avcC", [1, 0x42, 0, 0x1E, 0xFC | UInt8(lengthSize - 1), 0xE0, 0])
        return box(type, [UInt8](repeating: 0, count: 78) + setup + more)
    }

    /// A sample entry of H.265.
    public static func hevcEntry(_ type: String = "hvc1", lengthSize: Int = 4) -> [UInt8] {
        let setup = [UInt8](repeating: 0, count: 21) + [UInt8(lengthSize - 1), 0]
        return box(type, [UInt8](repeating: 0, count: 78) + box("hvcC", setup))
    }

    /// A sample entry of sound.
    public static func soundEntry(_ type: String) -> [UInt8] { box(type, [UInt8](repeating: 0, count: 28)) }

    /// A sample made of units with these first bytes, with a length before each.
    public static func units(_ heads: [[UInt8]], lengthSize: Int = 4, count: Int = 90) -> [UInt8] {
        heads.flatMap { head in
            let unit = head + [UInt8](repeating: 0xAB, count: count - head.count)
            return ProtectedMovie.number(unit.count, lengthSize) + unit
        }
    }

    /// A picture of H.264, with a parameter set and a message before it.
    public static func avcSample(lengthSize: Int = 4) -> [UInt8] {
        units([[0x67, 0x42], [0x06, 0x05], [0x65, 0x88]], lengthSize: lengthSize)
    }

    /// A picture of H.265, with parameter sets before it.
    public static func hevcSample(lengthSize: Int = 4) -> [UInt8] {
        units([[0x40, 0x01], [0x42, 0x01], [0x44, 0x01], [0x26, 0x01]], lengthSize: lengthSize)
    }

    /// A fragment of one track with these samples.
    public static func fragment(of track: Int = 1, _ samples: [[UInt8]]) -> [UInt8] {
        let sizes = [samples.map(\.count)]
        let length = movieFragment(Self.track(track, offset: 0, runs: sizes)).count
        return movieFragment(Self.track(track, offset: length + 8, runs: sizes))
            + box("mdat", samples.flatMap(\.self))
    }
}
