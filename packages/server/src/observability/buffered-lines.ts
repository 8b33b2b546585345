import process from 'node:process'
import { destination } from 'pino'

/** Characters after which lines are written immediately. */
const BUFFERED_MAX = 64 * 1024
/** Memory for lines that the destination refuses, such as a full disk. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024

/**
 * Writes the lines of one turn of the event loop together, because a write costs far more than a
 * line. They are written before the process waits, and when it ends: only a death without notice,
 * in the same turn, loses some. A destination that refuses, such as a full disk, does not stop the
 * process. The failure is reported once on the standard error, and the missed lines are written
 * when possible. A pipe without a reader blocks the process, like any write to it.
 * @param dest - A file, or the descriptor of an open one.
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
