/// Follows which keys apply (RFC 8216bis §4.4.4.4): until the next EXT-X-KEY of the same KEYFORMAT, or until
/// METHOD=NONE, which ends them all.
struct KeyTracker {
    private(set) var inForce: [EncryptionKey] = []
    /// The index of `inForce` in the list of sets; `nil` until it is used.
    private var index: Int32? = -1

    mutating func apply(_ key: EncryptionKey) {
        if key.method == .none {
            inForce = []
            index = -1
            return
        }
        inForce.removeAll { $0.keyFormat == key.keyFormat }
        inForce.append(key)
        index = nil
    }

    /// The index of the keys in force among the sets; new keys are added to the sets.
    mutating func current(in sets: inout [[EncryptionKey]]) -> Int32 {
        if let index { return index }
        if sets.last != inForce { sets.append(inForce) }
        index = Int32(truncatingIfNeeded: sets.count - 1)
        return Int32(truncatingIfNeeded: sets.count - 1)
    }
}

/// The distinct EXT-X-MAPs, and the one in force.
struct InitializationSectionTable {
    private(set) var list: [InitializationSection] = []
    private(set) var current: Int32 = -1
    private var indices: [InitializationSection: Int32] = [:]

    mutating func apply(_ section: InitializationSection) {
        if let index = indices[section] {
            current = index
            return
        }
        current = Int32(truncatingIfNeeded: list.count)
        indices[section] = current
        list.append(section)
    }
}
