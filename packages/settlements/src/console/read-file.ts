import { createHash } from 'node:crypto'
import { SETTLEMENT_FILE_BYTES_MAX } from '@cofre/contracts'

/**
 * Counts the bytes of a file as they are read, and their digest. Whoever stops reading may read the
 * rest later: a browser shows an answer only once it has sent all.
 */
export function readCounted(content: AsyncIterable<Uint8Array>) {
  const chunks = content[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const next = await chunks.next()
      if (next.done === true) return
      hash.update(next.value)
      bytes += next.value.length
      yield next.value
    }
  }
  return {
    content: counted(),
    /** Of what was read, once. */
    read: () => ({ sha256: hash.copy().digest('hex'), bytes }),
    /** Reads what is left, as far as a file may be long. */
    async drain(): Promise<void> {
      while (bytes <= SETTLEMENT_FILE_BYTES_MAX) {
        const next = await chunks.next()
        if (next.done === true) return
        bytes += next.value.length
      }
      await chunks.return?.()
    },
  }
}
