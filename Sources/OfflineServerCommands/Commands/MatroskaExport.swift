internal import AssetStore
internal import Foundation
internal import Languages
internal import OfflineServer
internal import SystemPackage

/// Writes an asset into a Matroska file: an installed ffmpeg converts the MP4 file, with subtitles as ASS.
struct MatroskaExport {
    let export: FileExport
    let download: FileDownload

    private var folder: FilePath { export.target.parent }
    private var name: String { export.target.lastComponent?.string ?? "export.mkv" }

    func run() async throws {
        try Self.checkProgram()
        let token = export.token
        // The file is locked to the end, so that no other command writes the same .mkv.
        let part = try await download.fetch(
            "assets/\(token)/video.mp4\(export.options.query(subtitles: "none"))",
            beside: folder.appending("\(name).mp4"))
        defer { withExtendedLifetime(part) {} }
        let movie = part.path
        var made = [movie]
        defer { for path in made { try? FileSystem.removeTree(path) } }
        let description = try Self.description(of: movie)
        guard !Self.changes(in: description) else {
            throw CommandFailure(
                message:
                    "the codec or the picture size of the asset changes, and a .mkv file can't hold that; write .mp4"
            )
        }
        let tracks = try await subtitles(&made)
        let poster = try await poster(&made)
        let output = folder.appending(".\(name).part.mkv")
        made.append(output)
        let words = words(
            movie, description, tracks: tracks, poster: poster, to: output)
        guard let status = await ChildProgram.run(words), status == 0 else {
            throw CommandFailure(message: "ffmpeg could not write \(export.target)")
        }
        try Self.flush(output)
        try FileDownload.finish(output, as: export.target)
    }

    /// Sees that ffmpeg is installed.
    static func checkProgram() throws {
        guard !isInstalled("ffmpeg") else { return }
        throw CommandFailure(
            message: "ffmpeg writes .mkv files, and it is not installed; .mp4 needs no other program")
    }

    /// The `moov` box of an MP4 file; empty without one in front of the media.
    private static func description(of movie: FilePath) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: movie.string))
        defer { try? file.close() }
        var offset: UInt64 = 0
        while let head = try file.read(upToCount: 8), head.count == 8 {
            let size = UInt64(head.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
            guard head.suffix(4) != Data("moov".utf8) else {
                return try file.read(upToCount: Int(size) - 8) ?? Data()
            }
            // A box of more than 4 GiB holds media, which come behind the description.
            guard size >= 8 else { return Data() }
            offset += size
            try file.seek(toOffset: offset)
        }
        return Data()
    }

    /// The contents of all boxes of a type, each with all that follows it.
    private static func boxes(_ type: String, in movie: Data) -> [Data] {
        var (found, rest) = ([Data](), movie[...])
        while let place = rest.firstRange(of: Data(type.utf8)) {
            rest = rest[place.upperBound...]
            found.append(rest)
        }
        return found
    }

    /// Whether a track has several sample descriptions (`stsd`). ffmpeg uses only the first.
    private static func changes(in movie: Data) -> Bool {
        // Version and flags, then the number of entries.
        boxes("stsd", in: movie).contains {
            $0.count >= 8 && $0.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } > 1
        }
    }

    /// The names of the tracks with sound, in order; `nil` for one without a name. ffmpeg does not copy them, since MP4
    /// has them in the handlers (`hdlr`).
    private static func soundNames(in movie: Data) -> [String?] {
        boxes("hdlr", in: movie).compactMap { box -> String?? in
            guard box.dropFirst(8).prefix(4) == Data("soun".utf8) else { return nil }
            let name = String(decoding: box.dropFirst(24).prefix { $0 != 0 }.prefix(200), as: UTF8.self)
            return name == "SoundHandler" || name.isEmpty ? .some(nil) : name
        }
    }

    /// The time of the first picture in seconds, from which subtitles count. An edit without media (`elst`) delays it.
    private static func pictureStart(in movie: Data) -> Double {
        guard let edits = boxes("elst", in: movie).first, let header = boxes("mvhd", in: movie).first,
            let isLong = edits.first.map({ $0 == 1 })
        else { return 0 }
        let scale = number(header, at: header.first == 1 ? 20 : 12, bytes: 4)
        let bytes = isLong ? 8 : 4
        let isEmpty = edits.dropFirst(8 + bytes).prefix(bytes).allSatisfy { $0 == 0xFF }
        guard isEmpty, edits.count > 8 + 2 * bytes, scale > 0 else { return 0 }
        return Double(number(edits, at: 8, bytes: bytes)) / Double(scale)
    }

    private static func number(_ data: Data, at offset: Int, bytes: Int) -> UInt64 {
        data.dropFirst(offset).prefix(bytes).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct Track {
        var path: FilePath
        var language: String?
        var title: String?
        var isDefault = false
        var isForced = false
        var isSDH = false

        /// The marks by which players choose a track, in ffmpeg's words; `0` for none.
        var disposition: String {
            let marks = [
                isDefault ? "default" : nil, isForced ? "forced" : nil, isSDH ? "hearing_impaired" : nil,
            ].compactMap(\.self)
            return marks.isEmpty ? "0" : marks.joined(separator: "+")
        }
    }

    /// The tracks of subtitles as ASS files beside the target.
    private func subtitles(_ made: inout [FilePath]) async throws -> [Track] {
        guard export.options.subtitles != "none",
            let renditions = try export.session.reader().captions.subtitleRenditions(export.token)
        else { return [] }
        let wanted = export.options.subtitles?.split(separator: ",").map(String.init)
        var tracks: [Track] = []
        for (number, rendition) in renditions.enumerated() {
            if let wanted, !wanted.contains(where: { rendition.language?.hasPrefix($0) == true }) { continue }
            let path = "assets/\(export.token)/subtitles/\(rendition.name).ass"
            guard let bytes = try await download.small(path) else { continue }
            let file = folder.appending(".\(name).\(number).ass")
            try DurableWrite.write(bytes, to: file)
            made.append(file)
            tracks.append(
                Track(
                    path: file, language: rendition.language, title: rendition.title,
                    isDefault: rendition.isDefault, isForced: rendition.isForced, isSDH: rendition.isSDH))
        }
        return tracks
    }

    private func poster(_ made: inout [FilePath]) async throws -> FilePath? {
        guard let bytes = try await download.small("assets/\(export.token)/poster") else { return nil }
        let isPNG = bytes.starts(with: [0x89, 0x50])
        let file = folder.appending(".\(name).cover.\(isPNG ? "png" : "jpg")")
        try DurableWrite.write(bytes, to: file)
        made.append(file)
        return file
    }

    private func words(
        _ movie: FilePath, _ description: Data, tracks: [Track], poster: FilePath?, to output: FilePath
    ) -> [String] {
        var words = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", Self.argument(movie)]
        let start = String(format: "%.3f", Self.pictureStart(in: description))
        for track in tracks { words += ["-itsoffset", start, "-i", Self.argument(track.path)] }
        words += ["-map", "0:V?", "-map", "0:a?"]
        for index in tracks.indices { words += ["-map", "\(index + 1)"] }
        words += ["-map_chapters", "0", "-c", "copy", "-strict", "unofficial"]
        for (index, track) in tracks.enumerated() {
            if let language = track.language.flatMap(LanguageCodes.threeLetter) {
                words += ["-metadata:s:s:\(index)", "language=\(language)"]
            }
            if let title = track.title { words += ["-metadata:s:s:\(index)", "title=\(title)"] }
            words += ["-disposition:s:\(index)", track.disposition]
        }
        for (index, name) in Self.soundNames(in: description).enumerated() {
            if let name { words += ["-metadata:s:a:\(index)", "title=\(name)"] }
        }
        if let poster {
            let type = poster.extension == "png" ? "image/png" : "image/jpeg"
            words += ["-attach", Self.argument(poster), "-metadata:s:t:0", "mimetype=\(type)"]
            words += ["-metadata:s:t:0", "filename=cover.\(poster.extension ?? "jpg")"]
        }
        return words + ["-f", "matroska", Self.argument(output)]
    }

    /// A path that ffmpeg takes neither for an option nor for a protocol.
    private static func argument(_ path: FilePath) -> String { "file:\(path)" }

    private static func isInstalled(_ name: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    private static func flush(_ path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readOnly)
        let result = fsync(descriptor.rawValue)
        try descriptor.close()
        guard result == 0 else { throw StoreError.system(.synchronize, path, reason: Errno(rawValue: errno)) }
    }
}
