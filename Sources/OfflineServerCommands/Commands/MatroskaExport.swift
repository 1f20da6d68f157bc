internal import AssetStore
internal import Foundation
internal import Languages
internal import MediaContainers
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
        let media = try Self.tracks(of: movie)
        // ffmpeg uses only the first description of a track.
        guard media.allSatisfy({ $0.descriptions.count < 2 }) else {
            throw CommandFailure(
                message:
                    "the codec or the picture size of the asset changes, and a .mkv file can't hold that; write .mp4"
            )
        }
        let tracks = try await subtitles(&made)
        let poster = try await poster(&made)
        let output = try PartFile(
            beside: movie, as: "mkv.part", length: UInt64(Int64.max), global: export.global)
        made.append(output.path)
        try await convert(words(movie, media, subtitles: tracks, poster: poster, to: output.path))
        try Self.flush(output.path)
        try FileDownload.finish(output, as: export.target)
        if media.contains(where: { !$0.matrix.isEmpty }) {
            Console.note("some versions of ffmpeg lose the rotation of pictures in .mkv; .mp4 keeps it")
        }
    }

    /// Runs ffmpeg, without the terminal: a Ctrl-C is for this command. It ends with this process.
    private func convert(_ words: [String]) async throws {
        let week = 604_800.0
        let outcome = await ExternalCommand(words: words, seconds: week, endsWithProcess: true).run(input: [])
        guard outcome.status != 0 else { return }
        let reason = outcome.lastWords.map { ": \($0)" } ?? ""
        throw CommandFailure(message: "ffmpeg could not write \(export.target)\(reason)")
    }

    /// Sees that ffmpeg is installed.
    static func checkProgram() throws {
        guard !isInstalled("ffmpeg") else { return }
        throw CommandFailure(
            message: "ffmpeg writes .mkv files, and it is not installed; .mp4 needs no other program")
    }

    /// The tracks of an MP4 file whose `moov` box is in front of the media.
    private static func tracks(of movie: FilePath) throws -> [MovieTrack] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: movie.string))
        defer { try? file.close() }
        var offset: UInt64 = 0
        while let head = try file.read(upToCount: 8), head.count == 8 {
            let size = UInt64(head.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
            // A box of more than 4 GiB holds media, which come behind the description.
            guard size >= 8 else { break }
            guard head.suffix(4) != Data("moov".utf8) else {
                return try MovieTrack.all(in: Array(head + (file.read(upToCount: Int(size) - 8) ?? Data())))
            }
            offset += size
            try file.seek(toOffset: offset)
        }
        return []
    }

    /// The name of a track with sound that has none.
    private static let namelessSound = "SoundHandler"

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
        _ movie: FilePath, _ media: [MovieTrack], subtitles: [Track], poster: FilePath?, to output: FilePath
    ) -> [String] {
        var words = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", Self.argument(movie)]
        // The times of subtitles count from the first picture; sound may begin earlier.
        let picture = media.first { $0.kind == .video }
        let start = picture.map { Double($0.delay) / Double($0.timescale) } ?? 0
        for track in subtitles {
            words += ["-itsoffset", String(format: "%.3f", start), "-i", Self.argument(track.path)]
        }
        words += ["-map", "0:V?", "-map", "0:a?"]
        for index in subtitles.indices { words += ["-map", "\(index + 1)"] }
        words += ["-map_chapters", "0", "-c", "copy", "-strict", "unofficial"]
        for (index, track) in subtitles.enumerated() {
            if let language = track.language.flatMap(LanguageCodes.threeLetter) {
                words += ["-metadata:s:s:\(index)", "language=\(language)"]
            }
            if let title = track.title { words += ["-metadata:s:s:\(index)", "title=\(title)"] }
            words += ["-disposition:s:\(index)", track.disposition]
        }
        // ffmpeg does not take the names of tracks from MP4.
        for (index, track) in media.filter({ $0.kind == .audio }).enumerated() {
            guard let name = track.name, name != Self.namelessSound else { continue }
            words += ["-metadata:s:a:\(index)", "title=\(name)"]
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
