/// The parameter sets of H.264 or H.265 that are known, in a fixed order.
struct ParameterSets: Sendable, Equatable {
    /// A set's kind and number.
    struct Key: Sendable, Hashable, Comparable {
        /// The unit's type: 7 and 8 in H.264; 32, 33 and 34 in H.265.
        let type: UInt8
        let id: Int

        static func < (one: Key, other: Key) -> Bool { (one.type, one.id) < (other.type, other.id) }
    }

    /// The sets as they came, with their headers.
    private(set) var sets: [Key: [UInt8]] = [:]

    /// The length of the longest set: configurations have lengths of 16 bits.
    static let longest = 0xFFFF

    func list(_ type: UInt8) -> [[UInt8]] {
        sets.keys.filter { $0.type == type }.sorted().compactMap { sets[$0] }
    }

    func has(_ type: UInt8) -> Bool { sets.keys.contains { $0.type == type } }

    subscript(key: Key) -> [UInt8]? {
        get { sets[key] }
        set { sets[key] = newValue }
    }

    /// Adds a set; a set that replaces another one removes the sets that depend on it.
    ///
    /// - Parameter dependents: whether a set depends on the replaced one.
    /// - Returns: whether a different set had this number.
    mutating func take(
        _ key: Key, _ unit: [UInt8], dependents: (Key, [UInt8]) -> Bool
    ) -> Bool {
        let known = sets[key]
        guard known != unit else { return false }
        sets[key] = unit
        guard known != nil else { return false }
        sets = sets.filter { !dependents($0.key, $0.value) }
        return true
    }
}

/// The first fields of a slice, which show where pictures begin.
struct Slice {
    /// Whether it is the first of its picture; `nil` if only its address shows that.
    var isFirst: Bool?
    /// The number of its first block.
    var address = 0
    /// The number of its frame, as far as it counts.
    var frame: Int?
    var parameters = 0
    /// A field of a frame that is coded as two fields.
    var isField = false
    var isBottom = false
    /// Whether decoding can begin with its picture.
    var isRandomAccess = false
    /// Whether it refers to no other picture.
    var isIntra = false

    /// The relation of a slice to the one before it.
    enum Relation {
        case samePicture
        /// The other field of the same frame.
        case secondField
        case newPicture
    }

    /// How this slice goes with one that was before it.
    func relation(to last: Slice) -> Relation {
        if let isFirst { return isFirst ? .newPicture : .samePicture }
        let isSameFrame = frame == last.frame
        if isField, last.isField, isBottom != last.isBottom, isSameFrame { return .secondField }
        let isSame =
            address > last.address && isSameFrame && isField == last.isField && isBottom == last.isBottom
            && parameters == last.parameters
        return isSame ? .samePicture : .newPicture
    }
}

/// The part that a NAL unit has in its access unit.
enum UnitRole {
    /// A part of a picture.
    case slice(Slice)
    /// A parameter set.
    case parameters(ParameterSets.Key)
    /// Goes with the picture behind it.
    case leading
    /// Begins an access unit, without other information.
    case delimiter
    /// Has no content.
    case filler
    /// Goes with the picture before it.
    case trailing
}

/// A video codec whose units are those of a byte stream.
protocol PictureCodec: Sendable {
    /// The types of parameter sets that every decoder needs.
    var neededSets: [UInt8] { get }
    /// The type of the parameter sets that tell the size of pictures.
    var sequenceType: UInt8 { get }

    /// Whether a unit with this first byte is a parameter set.
    func isParameterSet(_ header: UInt8) -> Bool
    /// The part that a unit has.
    mutating func role(of unit: Range<Int>, in data: [UInt8]) -> UnitRole
    /// Whether a unit before a picture marks it as a recovery point, with which decoding can begin.
    func isRecoveryPoint(_ unit: Range<Int>, in data: [UInt8]) -> Bool
    /// Keeps the facts of a parameter set that later units need.
    mutating func note(_ key: ParameterSets.Key, _ unit: [UInt8])
    /// Whether a parameter set depends on the sequence parameter set with a number.
    func isDependent(_ key: ParameterSets.Key, _ unit: [UInt8], on sequence: Int) -> Bool
    /// Reads the light levels of a unit before a picture.
    func read(_ unit: Range<Int>, in data: [UInt8], into light: inout LightFacts)
    /// The sample entry.
    ///
    /// - Parameter isInBand: whether samples keep parameter sets.
    func description(
        _ sets: ParameterSets, isInBand: Bool, light: LightFacts
    ) -> (SampleDescription, PictureFacts)?
}
