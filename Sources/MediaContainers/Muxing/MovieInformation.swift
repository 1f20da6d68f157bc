/// The information of a file beside its tracks.
public struct MovieInformation: Sendable, Equatable {
    /// A chapter.
    public struct Chapter: Sendable, Equatable {
        /// The start in seconds.
        public var start: Double
        /// Its title.
        public var title: String

        /// A chapter.
        public init(start: Double, title: String) { (self.start, self.title) = (start, title) }
    }

    /// A picture for the whole.
    public enum Picture: Sendable, Equatable {
        case jpeg([UInt8])
        case png([UInt8])
    }

    /// The title; `nil` without one.
    public var title: String?
    /// The poster; `nil` without one.
    public var picture: Picture?
    /// Chapters in order.
    public var chapters: [Chapter]

    /// Makes the information of a file.
    public init(title: String? = nil, picture: Picture? = nil, chapters: [Chapter] = []) {
        (self.title, self.picture, self.chapters) = (title, picture, chapters)
    }

    /// Writes `udta`: Nero's chapters, and iTunes' list of metadata.
    func write(_ writer: inout ByteWriter) {
        guard title != nil || picture != nil || !chapters.isEmpty else { return }
        writer.box("udta") { writer in
            if !chapters.isEmpty { writeChapters(&writer) }
            guard title != nil || picture != nil else { return }
            writer.box("meta", version: 0) { writer in
                writer.box("hdlr", version: 0) { writer in
                    writer.zeros(4)
                    writer.text("mdirappl")
                    writer.zeros(9)
                }
                writer.box("ilst") { writer in
                    if let title {
                        Self.add([0xA9, 0x6E, 0x61, 0x6D], type: 1, Array(title.utf8), to: &writer)
                    }
                    switch picture {
                    case .jpeg(let bytes): Self.add(Array("covr".utf8), type: 13, bytes, to: &writer)
                    case .png(let bytes): Self.add(Array("covr".utf8), type: 14, bytes, to: &writer)
                    case nil: break
                    }
                }
            }
        }
    }

    private static func add(_ name: [UInt8], type: UInt32, _ value: [UInt8], to writer: inout ByteWriter) {
        writer.u32(value.count + 24)
        writer.append(name)
        writer.box("data") { writer in
            writer.u32(type)
            writer.zeros(4)
            writer.append(value)
        }
    }

    /// Chapters have a byte for their number, and one for the length of each title.
    private func writeChapters(_ writer: inout ByteWriter) {
        writer.box("chpl", version: 1) { writer in
            let chapters = chapters.prefix(255)
            writer.zeros(4)
            writer.u8(chapters.count)
            for chapter in chapters {
                writer.u64(UInt64(clamping: Ticks.nearest(chapter.start, 10_000_000)))
                let title = chapter.title.prefix(utf8: 255)
                writer.u8(title.count)
                writer.append(title)
            }
        }
    }
}

extension String {
    /// The first characters with at most so many bytes of UTF-8.
    func prefix(utf8 count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in self {
            guard bytes.count + character.utf8.count <= count else { break }
            bytes += character.utf8
        }
        return bytes
    }
}
