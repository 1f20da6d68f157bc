internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Pause, resume, cancel and remove.
extension APIResponder {
    func act(_ action: AssetAction, _ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        var purges = false
        if action == .cancel {
            guard let body: CancelBody = JSONBody.decode(call.request.body) else {
                return Problem.body("The body may have \"purge\".", token).response
            }
            purges = body.purge ?? false
        }
        if action == .resume {
            guard let body: ResumeBody = JSONBody.decode(call.request.body) else {
                return Problem.body("The body may have \"accept_changes\".", token).response
            }
            if body.acceptChanges == true { try await store.sources.acceptChanges(of: token) }
        }
        try await store.control.perform(action, on: token, purge: purges)
        if action == .remove { return Response(json: ["removed": .string(token.description)]) }
        if action == .resume { accepted.insert(token) }
        return Response(json: try await document(of: token, for: call))
    }

    func remove(_ call: APICall) async throws(StoreError) -> Response {
        try await store.remove(call.token)
        return Response(status: .noContent)
    }

    func control(_ call: APICall) async throws(StoreError) -> Response {
        guard let body: ControlBody = JSONBody.decode(call.request.body),
            (body.tokens != nil) != (body.all == true)
        else { return Self.badControl }
        let named = try body.named(in: store.reader)
        guard let outcome = try await outcome(of: body, on: named?.tokens) else { return Self.badControl }
        var report = ControlReport(outcome)
        report.refuse(named?.unknown ?? [])
        return Response(json: report.json)
    }

    /// Carries out the action of a request body; `nil` if the action is unknown.
    ///
    /// - Parameter tokens: the assets; `nil` for all.
    private func outcome(
        of body: ControlBody, on tokens: [AssetToken]?
    ) async throws(StoreError) -> ControlOutcome? {
        if let isPinned = body.action.pin {
            return try store.control.pin(try everything(tokens), isPinned)
        }
        if body.action == "prioritize" {
            guard let priority = body.priority else { return nil }
            return try await store.control.prioritize(try everything(tokens), priority)
        }
        guard let action = body.action.verb else { return nil }
        var wanted = tokens
        if wanted == nil { wanted = try store.reader.tokens(for: action) }
        let outcome = try await store.control.perform(action, on: wanted ?? [], purge: body.purge ?? false)
        if action == .resume { for change in outcome.done { accepted.insert(change.token) } }
        return outcome
    }

    private func everything(_ tokens: [AssetToken]?) throws(StoreError) -> [AssetToken] {
        if let tokens { return tokens }
        return try store.reader.tokens()
    }

    private static var badControl: Response {
        Problem.body(
            "The body must have \"action\" (pause, resume, cancel, remove, pin, unpin, or prioritize with \"priority\") and either \"tokens\" or \"all\": true."
        ).response
    }
}

extension String {
    /// True for `pin`, false for `unpin`; `nil` for any other verb.
    fileprivate var pin: Bool? { self == "pin" ? true : self == "unpin" ? false : nil }

    /// The action that users may ask for under this name.
    fileprivate var verb: AssetAction? {
        [AssetAction.pause, .resume, .cancel, .remove].first { $0.rawValue == self }
    }
}
