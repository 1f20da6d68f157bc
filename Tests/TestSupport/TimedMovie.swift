/// Fragmented MP4 of one track, with a timescale of 1000.
public enum TimedMovie {
    /// An initialization section of Timed Text.
    public static var textStart: [UInt8] {
        let entry = ProtectedMovie.box("stpp", zeros(8))
        let table = ProtectedMovie.box("stsd", zeros(4) + ProtectedMovie.number(1, 4) + entry)
        return start(ProtectedMovie.box("minf", ProtectedMovie.box("stbl", table)))
    }

    /// An initialization section of video.
    public static var videoStart: [UInt8] {
        start(ProtectedMovie.box("hdlr", zeros(8) + Array("vide".utf8) + zeros(4)))
    }

    private static func start(_ media: [UInt8]) -> [UInt8] {
        let header = ProtectedMovie.box("tkhd", zeros(12) + ProtectedMovie.number(1, 4) + zeros(68))
        let time = ProtectedMovie.box("mdhd", zeros(12) + ProtectedMovie.number(1000, 4) + zeros(4))
        let track = ProtectedMovie.box("trak", header + ProtectedMovie.box("mdia", time + media))
        let type = ProtectedMovie.box("ftyp", Array("iso6".utf8) + zeros(4))
        return type + ProtectedMovie.box("moov", track)
    }

    /// A segment with one sample; times in milliseconds.
    public static func segment(_ sample: [UInt8], decodeTime: Int, duration: Int) -> [UInt8] {
        let time = ProtectedMovie.box("tfdt", zeros(4) + ProtectedMovie.number(decodeTime, 4))
        let header = ProtectedMovie.box("tfhd", [0, 2, 0, 0] + ProtectedMovie.number(1, 4))
        let item = ProtectedMovie.number(duration, 4) + ProtectedMovie.number(sample.count, 4)
        func fragment(offset: Int) -> [UInt8] {
            let place = ProtectedMovie.number(1, 4) + ProtectedMovie.number(offset, 4)
            let run = ProtectedMovie.box("trun", [0, 0, 3, 1] + place + item)
            return ProtectedMovie.box("moof", ProtectedMovie.box("traf", header + time + run))
        }
        return fragment(offset: fragment(offset: 0).count + 8) + ProtectedMovie.box("mdat", sample)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
