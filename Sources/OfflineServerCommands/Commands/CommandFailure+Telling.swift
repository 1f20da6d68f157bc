internal import APIDocuments
internal import AssetStore
internal import HTTPTypes
internal import OfflineServer

extension CommandFailure {
    /// Wrong usage in the words of the argument parser, as a sentence like all others.
    init(usage text: String, status: Int32) {
        var clause = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        if clause.hasSuffix(".") { clause.removeLast() }
        let letters = clause.prefix(2)
        if letters.first?.isUppercase == true, letters.last?.isUppercase == false {
            clause = clause.prefix(1).lowercased() + clause.dropFirst()
        }
        clause = clause.replacing(". Did you mean", with: "; did you mean")
        let advice = clause.hasSuffix("?") ? "" : "; `\(NamedCommand.help)` shows what it takes"
        self.init(message: clause + advice, status: status)
    }

    /// The refusals of a command on several assets, as members of a problem document.
    static func members(_ refused: [(token: String, errorClass: String, detail: String)]) -> [(
        String, JSONValue
    )] {
        guard let first = refused.first else { return [] }
        return Problem(
            status: .conflict, type: first.errorClass, detail: first.detail, token: AssetToken(first.token)
        ).document.members
    }

    /// Reports the failure: to people on stderr, and to programs as a problem document (RFC 9457) on stdout. A
    /// failure without a message has been reported already.
    func tell(asJSON: Bool) {
        guard let message else { return }
        Console.note("offline-server: \(message)")
        if asJSON { Console.result(document ?? problem(message).document.text) }
    }

    private func problem(_ message: String) -> Problem {
        if let error {
            var problem = error.problem(error.token)
            // Programs and people read the same sentence.
            problem.detail = message
            return problem
        }
        return Problem(status: httpStatus, type: type, detail: message)
    }

    /// The status of an API response for the same error.
    private var httpStatus: HTTPResponse.Status {
        switch status {
        case Self.usage: .badRequest
        case Self.noSuchAsset: .notFound
        case Self.storeInUse: .conflict
        default: .internalServerError
        }
    }

    private var type: String {
        switch status {
        case Self.usage: "usage"
        case Self.interrupted: "interrupted"
        default: "failed"
        }
    }
}

extension StoreError {
    /// The asset that the error names.
    var token: AssetToken? {
        switch code {
        case .noSuchAsset(let text): AssetToken(text)
        case .license(_, let token), .notWhole(let token), .notEncrypted(let token): token
        case .clientIDTaken(_, let token): token
        default: nil
        }
    }
}
