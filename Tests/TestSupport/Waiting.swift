/// Waits until `condition` holds; the suite's time limit ends a wait in vain.
public func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
}
