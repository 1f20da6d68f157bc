/// Merges attribute lists: for a repeated attribute, the later value counts, as with the tags of one date range (RFC
/// 8216bis §4.4.5.1). The time is proportional to the added attributes.
public struct AttributeMerger: Sendable {
    /// The attributes of all lists together.
    public private(set) var list = AttributeList()
    /// The places of the names in the list.
    private var places: [String: Int] = [:]

    /// No list yet.
    public init() {}

    /// Adds the attributes of a list.
    ///
    /// - Returns: whether there is a new or changed one.
    @discardableResult
    public mutating func add(_ other: AttributeList) -> Bool {
        let last = Dictionary(other.pairs.map { ($0.name, $0.value.writable) }) { $1 }
        var isNew = false
        for pair in other.pairs where set(pair.name, last[pair.name] ?? pair.value) { isNew = true }
        return isNew
    }

    private mutating func set(_ name: String, _ value: AttributeList.Value) -> Bool {
        guard let place = places[name] else {
            places[name] = list.pairs.count
            list.pairs.append(AttributeList.Pair(name: name, value: value))
            return true
        }
        guard list.pairs[place].value != value else { return false }
        list.pairs[place].value = value
        return true
    }
}
