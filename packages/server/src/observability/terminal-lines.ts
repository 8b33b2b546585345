import { plainTextOf } from '@cofre/contracts'
import { z } from 'zod'

const LENGTH_MAX = 300
const ERROR_LEVELS = ['error', 'fatal']

const lineSchema = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().default(''),
  error: z.unknown().optional(),
})
type Line = z.output<typeof lineSchema>

/** Writes lines of the log as sentences; the log file has the complete lines. */
export function terminalLines(output: { write(text: string): unknown }): {
  write(line: string): void
} {
  return {
    write(line) {
      output.write(`${sentenceOf(lineSchema.parse(JSON.parse(line)))}\n`)
    },
  }
}

/** Time, severity and message with its fields: `12:03:11 warning: slow request (role api)`. */
function sentenceOf({ level, time, msg, error, ...fields }: Line): string {
  const at = new Date(time).toTimeString().slice(0, 8)
  const weight = ERROR_LEVELS.includes(level) ? 'error' : 'warning'
  const shownFields = Object.entries(fields).filter(([name]) => name !== 'requestId')
  const details = shownFields.map(([name, value]) => `${name} ${printable(value)}`)
  const more = details.length === 0 ? '' : ` (${details.join(', ')})`
  const text = plainText(`${at} ${weight}: ${msg}${reasonOf(error)}${more}`)
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX - 1)}…`
}

function printable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The stack is only in the file. */
function reasonOf(error: unknown): string {
  if (error === undefined) return ''
  const { data } = z.object({ message: z.string() }).safeParse(error)
  return `: ${data?.message ?? printable(error)}`
}

/** One line without a terminal's control codes. */
export function plainText(text: string): string {
  return plainTextOf(text, ' ')
}
