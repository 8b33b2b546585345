import { diskSentence, isFullDisk } from './full-disk.js'

const FAILED = 1

/**
 * Hears the errors of what the process prints: a full disk may hold both outputs, and an error that
 * nothing hears ends the process.
 * @param use - What is in service goes on without its output, and its log has the rest; another
 *   command has failed: `cofre store list | head -1`.
 */
export function hearOutputErrors(
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>,
  use: 'service' | 'command',
): void {
  // Nothing is left to report it to.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: Error) => {
    process.stderr.write(`${outputFailureSentence(error)}\n`)
    if (use === 'command') process.exit(FAILED)
  })
}

/** Why the standard output could not be written. */
export function outputFailureSentence(error: Error): string {
  return isFullDisk(error)
    ? diskSentence(error)
    : `cofre: the output cannot be written: ${error.message}`
}
