package import APIDocuments
package import AssetStore
internal import Glibc
internal import HTTPDaemon
package import HTTPTypes

/// An error as a response: a problem document (RFC 9457).
package struct Problem {
    package var status: HTTPResponse.Status
    /// The last part of the `type` URI.
    package var type: String
    package var detail: String
    package var token: AssetToken?
    /// The name of the error's code; `nil` if it is not an error of the store.
    package var code: String?
    /// The place of the fault in the body (RFC 6901).
    package var pointer: String?
    /// The query item with the fault.
    var parameter: String?
    /// The name that was probably meant.
    package var suggestion: String?
    /// Further members, which only some problem types have.
    package var more: [(String, JSONValue)] = []
    /// Seconds for Retry-After; with 503, the default is one second.
    var retryAfter: Int?
    var allow: String?
    /// The value of WWW-Authenticate.
    var challenge: String?
    /// The value of Accept-Encoding, for status 415.
    var acceptedCoding: String?
    /// The field that says that JSON is accepted, with 415.
    var acceptingField: HTTPField.Name?

    package init(
        status: HTTPResponse.Status, type: String, detail: String, token: AssetToken? = nil,
        code: String? = nil, pointer: String? = nil, parameter: String? = nil, suggestion: String? = nil,
        more: [(String, JSONValue)] = [],
        retryAfter: Int? = nil, allow: String? = nil, challenge: String? = nil, acceptedCoding: String? = nil,
        acceptingField: HTTPField.Name? = nil
    ) {
        (self.status, self.type, self.detail, self.token) = (status, type, detail, token)
        (self.code, self.pointer, self.parameter) = (code, pointer, parameter)
        (self.suggestion, self.more) = (suggestion, more)
        (self.retryAfter, self.allow, self.challenge) = (retryAfter, allow, challenge)
        (self.acceptedCoding, self.acceptingField) = (acceptedCoding, acceptingField)
    }

    var response: Response {
        var headers: HTTPFields = [.contentType: MediaType.problem, .cacheControl: "no-store"]
        let seconds = retryAfter ?? (status == .serviceUnavailable ? 1 : nil)
        if let seconds { headers[.retryAfter] = "\(seconds)" }
        if let allow { headers[.allow] = allow }
        if let challenge { headers[.wwwAuthenticate] = challenge }
        if let acceptedCoding { headers[.acceptEncoding] = acceptedCoding }
        if let acceptingField { headers[acceptingField] = MediaType.json }
        return Response(status: status, headers: headers, body: .bytes(document.bytes))
    }

    /// The problem document.
    package var document: JSONValue {
        let places = [("pointer", pointer), ("parameter", parameter), ("suggestion", suggestion)]
        return .object([
            ("type", .string(type == "about:blank" ? type : "tag:offline-server,2026:\(type)")),
            ("title", .string(status.reasonPhrase)), ("status", .integer(Int64(status.code))),
            ("detail", .string(detail)), ("code", JSONValue(code)),
            ("token", JSONValue(token?.description)),
        ]).adding(places.compactMap { name, text in text.map { (name, .string($0)) } } + more)
    }

    static func notFound(_ detail: String, token: AssetToken? = nil) -> Problem {
        Problem(status: .notFound, type: "not-found", detail: detail, token: token)
    }

    /// A file of an asset is damaged or missing.
    static func gone(_ token: AssetToken) -> Problem {
        Problem(
            status: .notFound, type: "file",
            detail: "A file of the asset is gone or damaged; \(Remedy.repair(token)) fetches it again.",
            token: token)
    }

    /// The server does not answer yet.
    static let starting = Problem(
        status: .serviceUnavailable, type: "starting",
        detail: "The server is starting; ask again in a moment.",
        retryAfter: 1)

    /// The asset's stream has not been read yet.
    static func unresolved(_ asset: Asset) -> Problem {
        let reason = asset.failure?.message ?? asset.reason
        return Problem(
            status: .serviceUnavailable, type: "not-resolved",
            detail:
                "The stream's playlists have not been read yet; the asset is \(asset.state.rawValue)\(reason.map { " (\($0))." } ?? ".")",
            token: asset.token, retryAfter: asset.state.isTerminal || asset.state == .paused ? 60 : 2)
    }

    static func missingKey(_ token: AssetToken?) -> Problem {
        let (renewal, addition) =
            token.map { (Remedy.renewLicense($0), Remedy.addKey($0)) }
            ?? ("\(Remedy.renewLicense)", "\(Remedy.addKey)")
        return Problem(
            status: .notFound, type: "key-missing",
            detail:
                "The key is not stored, or can't be unsealed; \(renewal) asks for it, \(addition) adds one.",
            token: token)
    }

    static func methodNotAllowed(_ allow: String, token: AssetToken? = nil) -> Problem {
        Problem(
            status: .methodNotAllowed, type: "method-not-allowed", detail: "Only \(allow) are allowed here.",
            token: token, allow: allow)
    }

    /// The problem with the token of the asset in `path`, unless the problem already has one.
    func about(assetAbove path: String) -> Problem {
        var problem = self
        problem.token = token ?? Route.token(above: path)
        return problem
    }

    static func forbidden(_ type: String, _ detail: String) -> Problem {
        Problem(status: .forbidden, type: type, detail: detail)
    }
}

extension StoreError {
    /// The error as a response to a program.
    package func problem(_ token: AssetToken? = nil) -> Problem {
        var problem = namelessProblem(token)
        problem.code = code.name
        if case .leftOut(let items) = code { problem.more = [AssetDocument.leftOut(items)] }
        return problem
    }

    /// The error as a response to a player. Stored media that can't be served, because they are damaged or encrypted in
    /// an unknown way, get 404 instead of 422: the request itself is right, and repeating it does not help.
    func mediaProblem(_ token: AssetToken) -> Problem {
        guard !isOfGoneFile else { return .gone(token) }
        var problem = problem(token)
        if problem.status == .unprocessableContent { problem.status = .notFound }
        return problem
    }

    /// The answer of the API. A request that fails because of the present state of a stream, an asset or a file is not
    /// at fault itself: it gets 409, since it may succeed later (RFC 9110, section 15.5.10).
    ///
    /// - Parameter root: the folder of the store, whose own files are the server's concern.
    package func requestProblem(_ token: AssetToken?, store root: String) -> Problem {
        var problem = problem(token)
        switch code {
        // A strict request itself names what the stream lacks.
        case .invalidURL, .leftOut, .clientIDTaken: break
        case .file(.open, let path, _), .file(.read, let path, _):
            if !path.hasPrefix(root) { problem.status = .conflict }
        default:
            if problem.status == .unprocessableContent { problem.status = .conflict }
        }
        return problem
    }

    private var isOfGoneFile: Bool {
        switch code {
        case .notWhole, .file(.open, _, errno: ENOENT), .file(.open, _, errno: ELOOP): true
        default: false
        }
    }

    private func namelessProblem(_ token: AssetToken?) -> Problem {
        switch code {
        case .license(let refusal, let token): refusal.problem(token)
        case .key(.missing): Problem.missingKey(token)
        default: plainProblem(token)
        }
    }

    private func plainProblem(_ token: AssetToken?) -> Problem {
        // The response does not tell where the database is.
        if case .database(_, let path) = code, path.contains("://") {
            return Problem(
                status: .serviceUnavailable, type: errorClass.rawValue,
                detail: "The catalog's database does not answer; ask again in a moment.", token: token,
                retryAfter: 2)
        }
        let status: HTTPResponse.Status =
            switch code {
            case .noSuchAsset, .noStore: .notFound
            case .invalidURL, .nothingSelected, .notImportable, .leftOut, .clientIDTaken:
                .unprocessableContent
            case .license: .forbidden
            case .status, .transfer, .playlist, .ineligible, .key, .integrity: .unprocessableContent
            case .notSameStream, .noSuchRendition: .unprocessableContent
            case .notInSource, .imported: .conflict
            case .wrongState, .notWhole, .notEncrypted, .mainRendition, .streamChanged: .conflict
            case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            case .stopped, .storeTakenOver, .tooManyFiles, .bucket: .serviceUnavailable
            case .storeInUse, .storeActive, .storeTooNew, .storeFolder, .file, .database, .vault,
                .keyElsewhere,
                .settings,
                .unset, .mediaElsewhere, .catalogElsewhere, .foreignSecret,
                .migrationUnfinished, .moved, .notEmpty,
                .service, .unreadableRecording:
                .internalServerError
            }
        return Problem(status: status, type: errorClass.rawValue, detail: message, token: token)
    }
}

extension String {
    /// A clause as a sentence: with a capital letter and a full stop.
    package var asSentence: String {
        let first = prefix(1).uppercased() + dropFirst()
        return first.last.map { ".?!".contains($0) } == true ? first : "\(first)."
    }
}
