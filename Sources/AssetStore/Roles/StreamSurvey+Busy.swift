internal import Locking

extension StreamSurvey {
    /// Reads a requested stream, but does not wait for a busy origin.
    ///
    /// - Returns: the stream; a failure if the origin is busy.
    func readUnlessBusy(
        _ request: AssetRequest, url: String, token: AssetToken
    ) async throws(StoreError) -> Result<StreamFindings, StoreError> {
        let busy = Lock<StoreError?>(nil)
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let pause = RetryPause { [usual = context.origins.pause] wait in
            guard wait.reason.isOfBusyOrigin else { return try await usual(wait) }
            busy.withLock { $0 = $0 ?? wait.reason }
            signal.finish()
            // This cancels the reading at any point.
            try await Task.sleep(for: .seconds(wait.seconds))
        }
        let result = await withTaskGroup(of: Result<StreamFindings, StoreError>?.self) { group in
            group.addTask {
                do throws(StoreError) {
                    return .success(try await self.read(request, url: url, token: token, pause: pause))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await _ in signals {}
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if case .success? = result, let result { return result }
        if let reason = busy.withLock(\.self) { return .failure(reason) }
        guard case .failure(let error)? = result, error.isOfBusyOrigin else {
            throw result?.failure ?? StoreError(.stopped(.cancelled))
        }
        return .failure(error)
    }
}

extension Result where Failure == StoreError {
    fileprivate var failure: StoreError? { if case .failure(let error) = self { error } else { nil } }
}

extension StoreError {
    /// Whether an origin answers that it gets too many requests (RFC 6585, section 4), or is temporarily unavailable
    /// (RFC 9110, section 15.6.4).
    var isOfBusyOrigin: Bool {
        guard case .status(let status, _) = code else { return false }
        return status == 429 || status == 503
    }
}
