/// How a sample is encrypted (ISO/IEC 23001-7, `tenc` or `seig`).
package struct SampleEncryption: Equatable {
    package var scheme: TrackEncryption.Scheme
    var isProtected = true
    package var cryptBlocks: Int
    package var skipBlocks: Int
    /// The length of each sample's own initialization vector; 0 with a constant one.
    package var ivSize: Int
    package var keyID: [UInt8]
    package var constantIV: [UInt8]

    package init(
        scheme: TrackEncryption.Scheme, isProtected: Bool = true, cryptBlocks: Int, skipBlocks: Int,
        ivSize: Int, keyID: [UInt8], constantIV: [UInt8]
    ) {
        self.scheme = scheme
        self.isProtected = isProtected
        self.cryptBlocks = cryptBlocks
        self.skipBlocks = skipBlocks
        self.ivSize = ivSize
        self.keyID = keyID
        self.constantIV = constantIV
    }
}

/// An encrypted stretch of a sample: it can be decrypted from any period of its pattern on.
package struct ProtectedPart {
    /// Its range in the segment.
    package var range: Range<Int>
    /// The vector of its sample.
    package var iv: [UInt8]
    package let sample: SampleEncryption
    /// The number of encrypted bytes before it in the sample, which count for schemes that chain the parts.
    private var offset = 0
    /// The offset of the encrypted block before it, which is its vector in a chain.
    private var chainedTo: Int?

    package init(range: Range<Int>, iv: [UInt8], sample: SampleEncryption) {
        (self.range, self.iv, self.sample) = (range, iv, sample)
    }

    private var crypt: Int { sample.skipBlocks == 0 ? 1 : max(1, sample.cryptBlocks) }
    private var skip: Int { sample.skipBlocks }

    /// Bytes after which the pattern begins again.
    private var period: Int { (crypt + skip) * ContentCipher.blockSize }

    /// The stretch of the same sample behind this one; its range is to be set.
    package var following: ProtectedPart {
        var next = self
        let encrypted = BlockPattern.extent(range, crypt: crypt, skip: skip)
        next.offset += sample.scheme == .cenc ? range.count : encrypted.count
        if sample.scheme == .cbc1, encrypted.count > 0 {
            next.chainedTo = encrypted.end - ContentCipher.blockSize
        }
        return next
    }

    /// The last position at or before `place` from which it can be decrypted.
    package func start(before place: Int) -> Int {
        range.lowerBound + (place - range.lowerBound) / period * period
    }

    /// The last position at or before `place` up to which it can be decrypted, or its end.
    package func end(before place: Int) -> Int {
        place >= range.upperBound ? range.upperBound : start(before: place)
    }

    /// The offset of the block that is the vector for the bytes from `start` on; `nil` if the sample's vector is
    /// used.
    package func vector(at start: Int) -> Int? {
        guard sample.scheme.isChained else { return nil }
        guard start > range.lowerBound else { return chainedTo }
        return start - period + (crypt - 1) * ContentCipher.blockSize
    }

    /// Decrypts a stretch of it that begins at a possible position.
    ///
    /// - Parameters:
    ///   - bytes: encrypted bytes of the segment, from `base` on.
    ///   - clear: gets the decrypted bytes at the same positions.
    package func decrypt(
        _ stretch: Range<Int>, of bytes: [UInt8], from base: Int, into clear: inout [UInt8],
        cipher: ContentCipher
    ) throws(StoreError) {
        let local = stretch.lowerBound - base..<stretch.upperBound - base
        let periods = (stretch.lowerBound - range.lowerBound) / period
        let before = offset + periods * crypt * ContentCipher.blockSize
        if sample.scheme == .cenc {
            clear.replaceSubrange(local, with: try cipher.stream(bytes[local], iv: iv, offset: before))
            return
        }
        let places = BlockPattern.places(local, crypt: crypt, skip: skip)
        let joined = BlockPattern.joined(bytes, places)
        guard sample.scheme.isChained else {
            let plain = try cipher.stream(joined[...], iv: iv, offset: before)
            return BlockPattern.scatter(plain, over: places, in: &clear)
        }
        var iv = iv
        if let place = vector(at: stretch.lowerBound) {
            // Samples that overlap may lead anywhere.
            let block = place - base..<place - base + ContentCipher.blockSize
            guard block.lowerBound >= 0, block.upperBound <= bytes.count else {
                throw StoreError(.integrity(.undecryptable))
            }
            iv = Array(bytes[block])
        }
        BlockPattern.scatter(try cipher.blocks(joined[...], iv: iv), over: places, in: &clear)
    }
}
