internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPTypes
internal import Locking
internal import OfflineServer
internal import SystemPackage
internal import Transfers

/// Writes an asset into one file. The server that works on the store makes the file's bytes.
///
/// The file gets its name when it is whole and on the disk. An interrupted export is continued from its `.part` file.
struct FileExport {
    let session: EngineSession
    let global: GlobalOptions
    let token: AssetToken
    let target: FilePath
    var options = Options()
    /// How the user continues the export after an interruption.
    var again = usualAgain
    static let usualAgain = "run the command again"

    /// The tracks that come into the file.
    struct Options: Equatable {
        /// The name of the variant stream.
        var video: String?
        /// Languages of the sound.
        var audio: String?
        /// Languages of the subtitles, or `none`.
        var subtitles: String?
        /// Whether to skip time without media.
        var skipsGaps = false
        /// Whether to write a file for each stretch without a change of codecs.
        var isInParts = false
        /// Whether to replace an existing file.
        var replaces = false

        /// The query of the file's address.
        func query(subtitles own: String? = nil, part: Int? = nil) -> String {
            let items = [
                ("video", video), ("audio", audio), ("subtitles", own ?? subtitles),
                ("gaps", skipsGaps ? "skip" : nil), ("part", part.map { "\($0)" }),
            ]
            let text = items.compactMap { name, value -> String? in
                let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_.,"))
                let encoded = value?.addingPercentEncoding(withAllowedCharacters: allowed)
                return encoded.map { "\(name)=\($0)" }
            }
            return text.isEmpty ? "" : "?" + text.joined(separator: "&")
        }
    }

    /// The kinds of files that an asset can be written into, by the extension of their name.
    static let kinds = [
        "mp4": "video.mp4", "m4v": "video.mp4", "m4a": "audio.m4a", "ts": "video.ts", "mkv": "video.mp4",
    ]

    /// Extensions of media files that `export` can't write. The name of a folder seldom has one.
    private static let otherMedia: Set = [
        "webm", "mov", "avi", "mpg", "mpeg", "m2ts", "mka", "aac", "mp3", "flac", "wav", "ogg", "opus",
    ]

    /// Whether a path has the extension of a media file that can't be written.
    static func isOther(_ path: FilePath) -> Bool {
        path.extension.map { otherMedia.contains($0.lowercased()) } ?? false
    }

    /// The file below the asset's address for a path; `nil` when its name is that of a folder.
    static func source(for path: FilePath) -> String? { path.extension.flatMap { kinds[$0.lowercased()] } }

    /// The formats that can be split at changes of codecs.
    static func hasParts(_ path: FilePath) -> Bool {
        ["mp4", "m4v", "m4a", "ts"].contains(path.extension?.lowercased() ?? "")
    }

    /// Whether a file for a path holds subtitles.
    static func hasText(_ path: FilePath) -> Bool {
        ["mp4", "m4v", "mkv"].contains(path.extension?.lowercased() ?? "")
    }

    /// The files that were written.
    struct Written {
        var paths: [FilePath] = []
        /// The names of tracks that they lack, or have only in part, because not all of these tracks is stored.
        var incomplete: [String] = []

        /// The path and size of one file, or `files` with those of several; then `left_out`.
        var json: JSONValue {
            let files = paths.map { path -> JSONValue in
                ["path": .string(path.string), "size": .integer(Int64(FileSystem.facts(path)?.size ?? 0))]
            }
            let members = files.count == 1 ? files[0].members : [("files", .array(files))]
            return .object(members + [("left_out", .array(incomplete.map { .string($0) }))])
        }
    }

    /// Writes the file, or several.
    ///
    /// - Throws: the reason for which there can't be a file; then nothing is written.
    func run() async throws -> Written {
        guard let source = Self.source(for: target) else { return Written() }
        try Self.checkFolder(of: target)
        if !options.isInParts { try checkIsFree(target) }
        let download = try FileDownload(session: session, global: global, again: again)
        var targets = [target]
        if options.isInParts {
            targets = try await write(partsOf: "assets/\(token)/\(source)", download)
        } else if target.extension?.lowercased() == "mkv" {
            try await MatroskaExport(export: self, download: download).run()
        } else {
            let part = try await download.fetch("assets/\(token)/\(source)\(options.query())", beside: target)
            try FileDownload.finish(part, as: target)
        }
        await download.close()
        for target in targets {
            global.note("\(target): \(HumanUnits.bytes(Int64(FileSystem.facts(target)?.size ?? 0)))")
        }
        let written = Written(paths: targets, incomplete: try incomplete())
        if !written.incomplete.isEmpty {
            global.note(
                "not in it, or not completely, since not all of it is stored: \(written.incomplete.joined(separator: ", ")); \(Remedy.repair(token)) fetches what is missing"
            )
        }
        return written
    }

    /// The names of the tracks that the file should have and that are not stored completely.
    private func incomplete() throws -> [String] {
        let reader = try session.reader()
        let renditions = try reader.requireProgress(of: token).renditions
        // The files of a bucket's media are no sign of what is stored.
        let whole =
            try reader.mediaPlace() == nil
            ? reader.wholeRenditions(of: token).map(\.name) : renditions.filter(\.isComplete).map(\.name)
        let hasText = Self.hasText(target)
        return renditions.filter { rendition in
            let isWanted =
                options.skipsGaps && isMain(rendition, of: renditions, whole: whole)
                || rendition.kind == .audio && options.audio == nil
                || rendition.kind == .subtitles && hasText && options.subtitles == nil
            return isWanted && rendition.hasPlaylist && !whole.contains(rendition.name)
        }.map(\.name)
    }

    /// Whether a rendition is the one of which a file with gaps is made.
    private func isMain(
        _ rendition: AssetRendition, of all: [AssetRendition], whole: [String]
    ) -> Bool {
        guard rendition.kind == .variant else { return false }
        // A file is made of a complete variant, if there is one.
        return options.video.map { $0 == rendition.name }
            ?? !all.contains { $0.kind == .variant && whole.contains($0.name) }
    }

    /// The tracks of subtitles for which there is no place in the file.
    func subtitlesWithoutPlace() throws -> [String] {
        guard target.extension?.lowercased() == "ts" else { return [] }
        return try session.reader().requireProgress(of: token).renditions
            .filter { $0.kind == .subtitles && $0.hasPlaylist }.map(\.name)
    }

    /// Sees that the folder of a file is there.
    static func checkFolder(of target: FilePath) throws {
        let folder = target.parent
        guard !folder.isEmpty, !FileSystem.isDirectory(folder) else { return }
        throw CommandFailure(
            message:
                "there is no folder \(folder) for \(target.lastComponent?.string ?? "the file"); make it first",
            status: CommandFailure.usage)
    }

    private func checkIsFree(_ target: FilePath) throws {
        guard !FileSystem.isDirectory(target) else {
            throw CommandFailure(message: "\(target) is a folder; name a file", status: CommandFailure.usage)
        }
        guard FileSystem.isThere(target), !options.replaces else { return }
        throw CommandFailure(
            message: "\(target) exists already; give another name, or --force to replace it")
    }

    /// Writes a file for each stretch; where codecs never change, it has the name that was given.
    private func write(partsOf path: String, _ download: FileDownload) async throws -> [FilePath] {
        let count = try await download.parts(path + options.query(part: .max))
        let targets = (1...max(1, count)).map { count < 2 ? target : target.numbered($0) }
        for target in targets { try checkIsFree(target) }
        for (index, target) in targets.enumerated() {
            let part = try await download.fetch(path + options.query(part: index + 1), beside: target)
            try FileDownload.finish(part, as: target)
        }
        return targets
    }
}

extension FilePath {
    /// The path with a number behind the name: `film-2.mp4`.
    fileprivate func numbered(_ number: Int) -> FilePath {
        parent.appending("\(stem ?? "")-\(number).\(self.extension ?? "")")
    }
}

/// Downloads files from the server of a session, and continues earlier downloads.
struct FileDownload {
    let session: EngineSession
    let global: GlobalOptions
    /// As in `FileExport`.
    private let again: String
    private let loop: TransferLoop

    init(session: EngineSession, global: GlobalOptions, again: String) throws {
        (self.session, self.global, self.again) = (session, global, again)
        loop = try TransferLoop()
    }

    func close() async { await loop.stop() }

    /// How long a server may look at an asset's segments for the first time.
    private static let longestPreparation = 7200

    /// Requests one byte of a file, and again while the server prepares the file.
    private func answer(
        _ path: String, at offset: UInt64 = 0
    ) async throws -> (response: TransferResponse, body: [UInt8]) {
        for _ in 0..<Self.longestPreparation / 5 {
            let (result, body) = try await loop.fetch(
                request(path, .get, range: TransferRange(offset: offset, length: 1)))
            guard result.response.status == 503, Self.type(body)?.hasSuffix(":preparing") == true else {
                return (result.response, body)
            }
            global.note("the server reads all segments once to prepare the file; this takes a while")
            try await Task.sleep(for: .seconds(2))
        }
        throw CommandFailure(
            message: "the server needs too long to prepare the file; \(again) later")
    }

    /// The length and the entity tag of a file.
    ///
    /// - Parameter offset: a byte that must be readable.
    /// - Throws: the reason for which there is no such file or byte.
    @discardableResult
    private func head(_ path: String, at offset: UInt64 = 0) async throws -> (length: UInt64, tag: String) {
        let (response, body) = try await answer(path, at: offset)
        let total = response.headerFields[.contentRange]?.split(separator: "/").last.flatMap { UInt64($0) }
        guard response.status == 206, let total, let tag = response.headerFields[.eTag] else {
            throw Self.failure(response.status, body)
        }
        return (total, tag)
    }

    /// The number of files that an asset has to be so that codecs stay in each.
    ///
    /// - Parameter path: that of a part that there is not.
    func parts(_ path: String) async throws -> Int {
        let (response, body) = try await answer(path)
        guard let count = Self.problem(body)["parts"] as? Int else {
            throw Self.failure(response.status, body)
        }
        return count
    }

    private static func problem(_ body: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    private static func type(_ body: [UInt8]) -> String? { problem(body)["type"] as? String }

    private static func failure(_ status: Int, _ body: [UInt8]) -> CommandFailure {
        let problem = problem(body)
        let detail = problem["detail"] as? String ?? "the server answered \(status)"
        let kind = (problem["type"] as? String)?.split(separator: ":").last ?? ""
        // A track or a part that the asset does not have is a matter of the options.
        let isOption = ["no-such-track", "no-such-part", "nothing"].contains(kind)
        let usual = isOption ? CommandFailure.usage : CommandFailure.failed
        var failure = CommandFailure(
            message: detail,
            status: (problem["code"] as? String).map { CommandFailure.status(of: $0) } ?? usual)
        if problem["type"] is String { failure.document = String(decoding: body, as: UTF8.self) }
        return failure
    }

    private func request(
        _ path: String, _ method: TransferRequest.Method, range: TransferRange? = nil
    ) -> TransferRequest {
        var request = session.request(path, method)
        request.range = range
        request.stallTimeout = .seconds(120)
        return request
    }

    /// A small resource; `nil` if it does not exist.
    func small(_ path: String) async throws -> [UInt8]? {
        let (result, body) = try await loop.fetch(request(path, .get))
        return result.response.status == 200 ? body : nil
    }

    /// Gets a file into one beside its target, whose name tells its version.
    ///
    /// - Returns: the file, flushed and still locked.
    func fetch(_ path: String, beside target: FilePath) async throws -> PartFile {
        let (length, tag) = try await head(path)
        let name = Self.shortened(target.name)
        let folder = target.parent
        // Bytes that were not flushed when the machine stopped may be wrong: after a reboot another file is begun.
        let boot = PartHead.currentBoot?.prefix(8) ?? "0"
        let part = folder.appending(".\(name).\(tag.filter(\.isHexDigit).prefix(16))-\(boot).part")
        removeOthers(of: name, in: folder, but: part)
        var written: UInt64 = 0
        do {
            let sink = try PartFile(part, length: length, global: global)
            defer { written = sink.written }
            if case .own(let own) = session, sink.written < length {
                try await own.server.readFile(path, from: sink.written, tag: tag) { try sink.receive($0) }
            }
            if sink.written < length {
                var request = request(path, .get, range: TransferRange(offset: sink.written))
                request.ifRange = tag
                _ = try await loop.perform(request, into: sink)
            }
            try sink.end()
            return sink
        } catch {
            let cause = (error as? TransferError)?.underlying ?? error
            if !(cause is Errno) { try await explain(path, at: min(written, length - 1), part) }
            throw failure(cause, writing: part)
        }
    }

    /// Asks the server why it sends no more bytes, and throws its answer. If the asset was removed, the unfinished file is
    /// deleted, because it can't be continued.
    private func explain(_ path: String, at offset: UInt64, _ part: FilePath) async throws {
        do {
            try await head(path, at: offset)
        } catch let failure as CommandFailure {
            if failure.status == CommandFailure.noSuchAsset { try? FileSystem.unlink(part) }
            throw failure
        } catch {
            // The server does not answer. What broke before says more.
        }
    }

    /// The error for a file that could not be written to its end, with advice.
    private func failure(_ cause: any Error, writing part: FilePath) -> any Error {
        var advice = "\(again): it continues after the bytes that are written"
        let isBegun = FileSystem.isThere(part)
        let occurrence: String
        switch cause {
        case let reason as Errno:
            let error = StoreError.system(isBegun ? .write : .create, part, reason: reason)
            occurrence = error.occurrence
            if case .diskFull = error.code {
                advice = "free some space, and \(advice)"
            } else if !isBegun {
                advice = "choose a folder in which you may create files"
            }
        case is TransferError: occurrence = "the connection to the server that makes the file broke"
        default: return cause
        }
        return CommandFailure(
            message: "\(occurrence); \(advice)\(isBegun ? "; to give it up, delete \(part)" : "")")
    }

    /// The name, short enough to add 40 bytes: file systems allow 255.
    static func shortened(_ name: String) -> String {
        var short = Substring(name)
        while short.utf8.count > 200 { short.removeLast() }
        return String(short)
    }

    /// Removes unfinished files of other versions, except those that other commands are writing.
    private func removeOthers(of name: String, in folder: FilePath, but part: FilePath) {
        let names = (try? FileSystem.contents(of: folder.isEmpty ? "." : folder)) ?? []
        for other in names where other.hasPrefix(".\(name).") && other.hasSuffix(".part") {
            let path = folder.appending(other)
            guard path != part, let file = try? FileDescriptor.open(path, .readWrite) else { continue }
            if TemporaryFile.isOwn(file.rawValue, path) { try? FileSystem.removeTree(path) }
            try? file.close()
        }
    }

    /// Gives a complete file its name.
    static func finish(_ part: PartFile, as target: FilePath) throws {
        try withExtendedLifetime(part) { try finish($0.path, as: target) }
    }

    /// Gives a complete file its name.
    static func finish(_ part: FilePath, as target: FilePath) throws {
        try FileManager.default.moveReplacing(part, target)
        let folder = target.parent
        try FileSystem.syncDirectory(folder.isEmpty ? "." : folder)
    }
}

extension FileManager {
    /// Renames a file; one that has the name already is replaced in the same step.
    func moveReplacing(_ part: FilePath, _ target: FilePath) throws(StoreError) {
        guard unsafe rename(part.string, target.string) == 0 else {
            throw StoreError.system(.rename, target, reason: Errno(rawValue: errno))
        }
    }
}
