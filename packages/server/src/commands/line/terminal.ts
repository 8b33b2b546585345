import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Secret } from '@cofre/contracts'
import { OperatorError } from '../../config/errors.js'

/** A person who answers questions. Ctrl-C or Ctrl-D instead of an answer is an OperatorError. */
export interface Terminal {
  prompt(question: string): Promise<string>
  /** Asks without showing the answer. */
  promptSecret(question: string): Promise<Secret<string>>
}

/** @param output - Receives the questions; not the output that a script reads. */
export function openTerminal(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Terminal {
  return {
    prompt: async (question) => (await readLine(input, output, question)).trim(),
    async promptSecret(question) {
      output.write(question)
      try {
        return new Secret(await readLine(input, discardedOutput()))
      } finally {
        output.write('\n')
      }
    },
  }
}

/** Lines that a person types unasked, until the signal. */
export function typedLines(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncIterable<string> {
  return createInterface({ input, signal })
}

function discardedOutput(): Writable {
  return new Writable({
    write: (_chunk, _encoding, written) => {
      written()
    },
  })
}

function readLine(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  prompt = '',
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // The terminal's own echo is off: typed text shows only if it is written to `output`.
  const lines = createInterface({ input, output, prompt, terminal: true, historySize: 0 })
  lines.once('line', (line) => {
    resolve(line)
    lines.close()
  })
  lines.once('close', () => {
    reject(new OperatorError('stopped before the last answer: nothing was changed'))
  })
  lines.prompt()
  return promise
}
