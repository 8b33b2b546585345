import { Socket } from 'node:net'
import process from 'node:process'
import { SERVER_IS_SILENT } from './unavailability.js'

type WriteCallback = (error?: Error | null) => void

/**
 * A line to a database server. What is written in one turn of the event loop is sent together, and a line that is silent is cut:
 * the pool closes idle ones long before, so it waits for a server that is not there any more.
 */
export class LineSocket extends Socket {
  #isHeld = false

  constructor(silenceMaxMs: number) {
    super()
    this.setTimeout(silenceMaxMs, () => {
      this.destroy(new Error(SERVER_IS_SILENT))
    })
    // Node puts Socket's own write into a socket that connects, in the way of the one below.
    this.once('connect', () => Reflect.deleteProperty(this, 'write'))
  }

  override write(
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | WriteCallback,
    callback?: WriteCallback,
  ): boolean {
    this.#holdThisTurn()
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, callback)
      : super.write(chunk, encoding)
  }

  #holdThisTurn(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.cork()
    // After the promises that this turn has settled, and what they write.
    process.nextTick(() => {
      this.#isHeld = false
      this.uncork()
    })
  }
}
