import { createHash } from 'node:crypto'
import { SETTLEMENT_FILE_BYTES_MAX } from '@cofre/contracts'

/**
 * Counts the bytes of a file and computes its digest while it is read. The rest may be read after
 * an early stop: a browser shows an answer only once it has sent everything.
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
    /** The digest and size of the part that was read. */
    read: () => ({ sha256: hash.copy().digest('hex'), bytes }),
    /** Reads the rest, up to the size limit of a file. */
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
