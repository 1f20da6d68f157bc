internal import AssetStore
internal import Foundation
internal import HTTPTypes

extension Problem {
    /// A `state` that names something other than states.
    static func state(_ names: String) -> Problem {
        let known = AssetState.allCases.map(\.rawValue)
        let unknown = names.components(separatedBy: ",").first { !known.contains($0) } ?? ""
        return Problem(
            status: .badRequest, type: "state",
            detail: "\"state\" takes states with commas between them: \(known.joined(separator: ", ")).",
            parameter: "state", suggestion: NearestName.of(unknown, among: known))
    }

    /// A `since` that names no event.
    static var since: Problem {
        Problem(
            status: .badRequest, type: "since", detail: "\"since\" must be the id of an event, or 0.",
            parameter: "since")
    }

    /// A `limit` that is not a number of assets.
    static var limit: Problem {
        Problem(
            status: .badRequest, type: "limit", detail: "\"limit\" must be a number above 0.",
            parameter: "limit")
    }

    /// A `view` that does not exist.
    static var view: Problem {
        Problem(
            status: .badRequest, type: "view", detail: "\"view\" must be full or summary.", parameter: "view")
    }

    /// A `before` that can't be the token of an asset.
    static var before: Problem {
        Problem(
            status: .badRequest, type: "before", detail: "\"before\" must be the token of an asset.",
            parameter: "before")
    }

    /// A parameter that is given more than once, so that the server can't know which value is meant.
    static func repeated(_ name: String) -> Problem {
        Problem(
            status: .badRequest, type: "query",
            detail: "The query item \"\(name)\" is there twice; keep one.",
            parameter: name)
    }

    /// A query item with an unknown name.
    static func unknownItem(_ name: String, known: [String]) -> Problem {
        let fault = JSONFault(.unknown(name, within: nil, known: known), path: [])
        return Problem(
            status: .badRequest, type: "query", detail: fault.sentence("query item").asSentence,
            parameter: String(name.prefix(60)).plainLine, suggestion: fault.suggestion)
    }

    /// An `expiring` that is not a length of time.
    static var expiring: Problem {
        Problem(
            status: .badRequest, type: "expiring",
            detail: "\"expiring\" must be a length of time such as 3d, 48h or 3600.", parameter: "expiring")
    }

    /// A body that the operation can't read, with the place of the fault.
    static func body(_ fault: JSONFault, _ token: AssetToken? = nil) -> Problem {
        Problem(
            status: .badRequest, type: "body", detail: fault.sentence().asSentence, token: token,
            pointer: fault.pointer, suggestion: fault.suggestion)
    }

    /// A body that the operation can't read.
    static func body(_ detail: String, _ token: AssetToken? = nil) -> Problem {
        Problem(status: .badRequest, type: "body", detail: detail, token: token)
    }
}
