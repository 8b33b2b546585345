import { diskSentence, isFullDisk } from './full-disk.js'

const FAILED = 1

/**
 * Handles errors of the standard outputs: a full disk may block both, and an unhandled error ends
 * the process.
 * @param use - A service continues without its output, because its log has the rest. Any other
 *   command fails: `cofre store list | head -1`.
 */
export function handleOutputErrors(
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>,
  use: 'service' | 'command',
): void {
  // The report has no further destination.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: Error) => {
    process.stderr.write(`${outputFailureSentence(error)}\n`)
    if (use === 'command') process.exit(FAILED)
  })
}

/** Reason why the standard output could not be written. */
export function outputFailureSentence(error: Error): string {
  return isFullDisk(error)
    ? diskSentence(error)
    : `cofre: the output cannot be written: ${error.message}`
}
