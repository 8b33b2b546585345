const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const REPLACEMENT = '\uFFFD'
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT)

/** The offset of the first byte that is not UTF-8; undefined if all bytes are. */
export function brokenUtf8At(bytes: Uint8Array): number | undefined {
  const text = utf8.decode(bytes)
  let offset = 0
  for (let from = 0; ; from += REPLACEMENT.length) {
    const at = text.indexOf(REPLACEMENT, from)
    if (at === -1) return undefined
    offset += Buffer.byteLength(text.slice(from, at))
    // The sender may have sent U+FFFD itself.
    const isSent = REPLACEMENT_BYTES.equals(
      bytes.subarray(offset, offset + REPLACEMENT_BYTES.length),
    )
    if (!isSent) return offset
    offset += REPLACEMENT_BYTES.length
    from = at
  }
}
