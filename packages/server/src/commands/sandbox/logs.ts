import { type RequestFilter, UNKNOWN_FIELDS, matchesFilter } from '@cofre/sandbox'
import { z } from 'zod'
import type { CommandContext, Shown, Shows } from '../line/command.js'
import { following, styledStatus, timeOfDay } from './following.js'
import type { SandboxAddress } from './sandbox.js'
import { plainText } from '../../observability/terminal-lines.js'

/** `cofre logs`: a store's requests to the sandbox as they arrive. */
export const logsCommand = { logs }

interface LogsInput extends SandboxAddress, RequestFilter {
  /** Number of past requests to show first. */
  readonly last: number
}

const requestSchema = z.looseObject({
  at: z.string(),
  method: z.string(),
  target: z.string(),
  status: z.number(),
  'duration-ms': z.number(),
  'error-codes': z.array(z.number()),
  response: z.string(),
  // A gateway before 0.3 records no headers.
  'response-headers': z.record(z.string(), z.string()).optional(),
})
type LoggedRequest = z.output<typeof requestSchema>

const errorsSchema = z.object({
  errors: z.array(
    z.object({
      code: z.number(),
      description: z.string(),
      property: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
})

function logs(context: CommandContext, input: LogsInput): Shows {
  return following(context, input, {
    target: `/sandbox/requests/stream?last=${input.last}`,
    async *ready({ baseUrl, storeId }) {
      const text = `Following the requests of ${storeId} at ${baseUrl}. Ctrl+C ends it.\n`
      yield await Promise.resolve({ data: { type: 'ready', url: baseUrl, store: storeId }, text })
    },
    async *show(event) {
      const request = requestSchema.parse(event)
      if (isWanted(request, input)) yield await Promise.resolve(shown(request))
    },
  })
}

function isWanted(
  { target, status, 'error-codes': errorCodes }: LoggedRequest,
  filter: RequestFilter,
) {
  return matchesFilter(filter, { target, statusCode: status, errorCodes })
}

function shown(request: LoggedRequest): Shown {
  const { at, method, target, status, 'duration-ms': ms } = request
  const line = `${timeOfDay(Date.parse(at))}  ${styledStatus(status)} ${method} ${plainText(target)}  ${ms} ms\n`
  const unknown = request['response-headers']?.[UNKNOWN_FIELDS]
  const notices = unknown === undefined ? [] : [`nothing reads ${unknown}`]
  const more = [...errorsOf(request), ...notices].map((text) => `          ${plainText(text)}\n`)
  return { data: { type: 'request', ...request }, text: line + more.join('') }
}

/** Errors in the response, one per line. */
function errorsOf({ response }: LoggedRequest): readonly string[] {
  const read = errorsSchema.safeParse(jsonOf(response))
  if (!read.success) return []
  return read.data.errors.map(({ code, description, property, message }) =>
    [String(code), message ?? description, property && `(${property})`].filter(Boolean).join(' '),
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A truncated response in the log is not valid JSON, and names no errors.
    return undefined
  }
}
