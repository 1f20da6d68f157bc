internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPTypes
internal import OfflineServer

/// One download: a word of the command line, or a line of a list.
struct ListedDownload {
    /// An address, a token, or, in a list, a download as JSON, like the body of `POST /api/v1/assets`.
    var text: String
    /// The place in a list; `nil` for a word of the command line.
    var place: Place?

    /// A line of a list.
    struct Place {
        var file: String
        var line: Int
    }

    /// Whether it is JSON.
    var isJSON: Bool { place != nil && text.hasPrefix("{") }

    /// The named asset; `nil` for a stream's address.
    var token: AssetToken? { isJSON ? nil : AssetToken(text) }

    /// The downloads in a list, one on each line. Empty lines and lines that begin with # are skipped.
    static func all(in list: String, of file: String) -> [ListedDownload] {
        let name = file == "-" ? "standard input" : file
        return list.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map {
                ListedDownload(
                    text: $1.trimmingCharacters(in: .whitespaces), place: Place(file: name, line: $0 + 1))
            }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
    }

    /// The request of the line.
    ///
    /// - Parameter usual: the request of the options, for what the line does not say.
    /// - Throws: `CommandFailure` with the place, or `invalidURL`.
    func request(_ usual: AssetRequest) throws -> AssetRequest {
        var request = usual
        if isJSON { request = try described(usual) } else { request.url = text }
        try named { try StreamIntake.check(request) }
        return request
    }

    /// Calls `body`; adds the place to errors that it throws.
    func named<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            guard place != nil, let failure = CommandFailure(error), let message = failure.message else {
                throw error
            }
            throw self.failure(message, code: failure.error?.code.name)
        }
    }

    private func described(_ usual: AssetRequest) throws -> AssetRequest {
        let line = Array(text.utf8)
        if let fault = APIShapes.fault(in: line, "Download") { throw failure(fault) }
        let own = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any] ?? [:]
        var members =
            try JSONSerialization.jsonObject(with: Data(DownloadBody.json(usual))) as? [String: Any] ?? [:]
        for (name, others) in Self.exclusive where own[name] != nil { others.forEach { members[$0] = nil } }
        members.merge(own) { $1 }
        let whole = [UInt8](try JSONSerialization.data(withJSONObject: members))
        guard let body = DownloadBody(whole) else { throw failure(DownloadBody.fault(in: whole)) }
        return body.request
    }

    /// Members that leave others no meaning.
    private static let exclusive = [
        "max_bitrate": ["min_bitrate"], "min_bitrate": ["max_bitrate"], "purchase": ["rental"],
    ]

    private func failure(_ fault: JSONFault) -> CommandFailure {
        failure(fault.sentence(), pointer: fault.pointer, suggestion: fault.suggestion)
    }

    /// Why a line can't be done.
    func failure(
        _ sentence: String, code: String? = nil, pointer: String? = nil, suggestion: String? = nil
    ) -> CommandFailure {
        guard let place else { return CommandFailure(message: sentence) }
        let at = pointer.flatMap { $0.isEmpty ? nil : ", at \($0)" } ?? ""
        var failure = CommandFailure(message: "\(place.file), line \(place.line)\(at): \(sentence)")
        let places: [(String, JSONValue)] = [
            ("file", .string(place.file)), ("line", .integer(Int64(place.line))),
        ]
        failure.document =
            Problem(
                status: .badRequest, type: "input", detail: failure.message ?? "", code: code,
                pointer: pointer,
                suggestion: suggestion, more: places
            ).document.text
        return failure
    }
}
