import process from 'node:process'
import { destination } from 'pino'

/** Beyond so many characters lines are written at once. */
const BUFFERED_MAX = 64 * 1024
/** What a destination that takes nothing, like a full disk, may leave in memory. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024

/**
 * Writes the lines of one turn of the event loop together, because a write costs far more than a
 * line. They are written before the process waits for anything, and when it ends: only a death that
 * it cannot see, in the very turn, loses some. A destination that refuses, like a full disk, stops
 * nobody: that is reported once on the standard error, and what it missed is written when it can
 * be. A pipe that nobody reads holds the process, as any write to it would.
 * @param dest - A file, or the descriptor of one that is open.
 */
export function bufferedLines(dest: string | number): { write(line: string): void } {
  const file = destination({ dest, sync: true, maxLength: UNWRITTEN_BYTES_MAX })
  file.once('error', (error: Error) => {
    process.stderr.write(`cofre: the log cannot be written: ${error.message}\n`)
    file.on('error', () => undefined)
  })
  let lines = ''
  const flush = (): void => {
    const buffered = lines
    lines = ''
    if (buffered !== '') file.write(buffered)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
      if (lines.length > BUFFERED_MAX) flush()
    },
  }
}
