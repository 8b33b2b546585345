import {
  ADVANCE_MAX_SECONDS,
  TRANSACTION_STATUSES,
  advanceRequestTable,
  refundOutcomeRequestTable,
  statusRequestTable,
} from '@cofre/contracts'
import type { Operation } from '@cofre/gateway/http'
import { z } from 'zod'
import recorded from './sandbox-examples.json' with { type: 'json' }
import texts from './sandbox-operations.json' with { type: 'json' }

const code = z.string()
const refundId = z.string()
const time = z.iso.datetime().meta({ examples: ['2026-11-21T12:00:00.000Z'] })
const headers = z.record(z.string(), z.string())
const count = z.int().min(0)

const clock = {
  now: time.describe('What time it is in the sandbox.'),
  'ahead-seconds': z.number().describe('How far it is ahead of the machine’s.'),
}
const due = z.strictObject({
  expiries: count.describe('Unpaid payments that lapse.'),
  notifications: count.describe('Notifications that are sent.'),
  reports: count.describe('What the bank reports.'),
})

/** The bodies of each operation, and their names in the document. */
const BODIES: Readonly<
  Record<keyof typeof texts.operations, Pick<Operation, 'request' | 'response' | 'isStream'>>
> = {
  setTransactionStatus: {
    request: ['TransactionStatusRequest', statusRequestTable],
    response: [
      'TransactionStatus',
      z.strictObject({
        'transaction-code': code,
        status: z.enum(TRANSACTION_STATUSES).describe('The status that it has now.'),
      }),
    ],
  },
  setRefundStatus: {
    request: ['RefundOutcomeRequest', refundOutcomeRequestTable],
    response: [
      'RefundOutcome',
      z.strictObject({
        'refund-id': refundId,
        'transaction-code': code,
        status: z.enum(['PROCESSED', 'REJECTED']).describe('How the refund ended.'),
      }),
    ],
  },
  readClock: { response: ['Clock', z.strictObject(clock)] },
  previewClock: {
    response: [
      'ClockPreview',
      z.strictObject({
        ...clock,
        then: time.describe('What time it would be.'),
        due: due.describe('What would happen to the store that asks.'),
      }),
    ],
  },
  advanceClock: {
    request: ['AdvanceRequest', advanceRequestTable],
    response: ['Clock', z.strictObject(clock)],
  },
  findReceiver: {
    response: [
      'Receiver',
      z.strictObject({
        'notification-url': z.url().describe('For `notification-url` and `notify-url`.'),
      }),
    ],
  },
  followNotifications: {
    isStream: true,
    response: [
      'NotificationEvent',
      z.strictObject({
        at: time.describe('When it happened.'),
        'transaction-code': code,
        status: z.enum(TRANSACTION_STATUSES).optional().describe('Of a change of status.'),
        'refund-id': refundId.optional(),
        url: z.url().describe('Where the store is sent it, too.'),
        headers: headers.describe('As the store is sent them.'),
        body: z.string().describe('As the store is sent it.'),
      }),
    ],
  },
  followRequests: {
    isStream: true,
    response: [
      'RequestEvent',
      z.strictObject({
        id: z.int().describe('Its number in the log.'),
        at: time.describe('When it came.'),
        method: z
          .string()
          .describe('Its method.')
          .meta({ examples: ['POST'] }),
        target: z
          .string()
          .describe('Path and query.')
          .meta({ examples: ['/transactions'] }),
        status: z
          .int()
          .describe('HTTP status of the answer.')
          .meta({ examples: [201] }),
        'duration-ms': z.number().describe('How long the answer took.'),
        'transaction-code': code.optional(),
        'error-codes': z.array(z.int()).describe('Codes of the errors that were answered.'),
        'request-headers': headers.describe('Those that matter; secrets are masked.'),
        request: z.string().optional().describe('Its body; card data is masked.'),
        'response-headers': headers.describe('Of the answer.'),
        response: z.string().describe('The body of the answer; card data is masked.'),
      }),
    ],
  },
}

const CODE = {
  name: 'code',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: String.raw`^[1-9]\d{0,14}$`, examples: ['482910365717'] },
  description: 'The code of the transaction.',
} as const

const PARAMETERS: Readonly<Record<string, Exclude<Operation['parameters'][number], string>>> = {
  code: CODE,
  id: {
    ...CODE,
    name: 'id',
    schema: { ...CODE.schema, examples: ['90417'] },
    description: 'The id of the refund.',
  },
  seconds: {
    name: 'seconds',
    in: 'query',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: ADVANCE_MAX_SECONDS, examples: [3600] },
    description: 'How much time would pass.',
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'The id of the last event that was read: the stream goes on behind it.',
  },
  last: {
    name: 'last',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 1000, default: 0 },
    description: 'How many past requests to begin with.',
  },
}

const examples: Readonly<Record<string, Operation['examples']>> = recorded

/** The sandbox's own operations for stores, for the API's document. */
export const SANDBOX_OPERATIONS: readonly Operation[] = (
  Object.keys(BODIES) as (keyof typeof BODIES)[]
).map((id) => {
  const { parameters, ...text } = texts.operations[id]
  return {
    id,
    tag: 'Sandbox',
    status: 200,
    ...text,
    parameters: parameters.flatMap((name) => PARAMETERS[name] ?? []),
    ...BODIES[id],
    examples: examples[id] ?? {},
  }
})
