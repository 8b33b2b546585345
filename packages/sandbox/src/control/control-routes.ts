import {
  ApiError,
  type Failure,
  SECOND_MS,
  advanceRequestTable,
  nextStatuses,
  refundOutcomeRequestTable,
  statusRequestTable,
} from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import { type GatewayEnv, readJson, signedStore } from '@cofre/gateway/http'
import { type Context, Hono } from 'hono'
import type { ControlDesk } from '../desk/sandbox-desk.js'
import type { PreviewClock } from '../test-clock/clock-preview.js'
import type { TestClock } from '../test-clock/test-clock.js'

/**
 * Lets a store's developers control the bank's reports and the sandbox's time from their own tests:
 * retries and expiries take seconds.
 */
export function createControlRoutes(
  { api, backOffice }: Pick<Gateway, 'api'> & { readonly backOffice: ControlDesk },
  { clock, preview }: { readonly clock: TestClock; readonly preview: PreviewClock },
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const signed = signedStore(api, 'configure')
  const signedToRead = signedStore(api, 'read')

  app.post('/sandbox/transactions/:code/status', signed, async (context) => {
    const { status } = await readRequest(context, statusRequestTable)
    const code = context.req.param('code')
    const { id } = context.get('merchant')
    const change = await backOffice.changeStatus(id, code, status)
    const found = await backOffice.findTransaction(id, code)
    if (change === 'not-found' || found === undefined) throw new ApiError('transaction_not_found')
    if (change === 'not-allowed') throw notAllowed(nextStatuses(found.transaction.status))
    return context.json({ 'transaction-code': code, status })
  })

  app.post('/sandbox/refunds/:id/status', signed, async (context) => {
    const { status } = await readRequest(context, refundOutcomeRequestTable)
    const refundId = context.req.param('id')
    const { id } = context.get('merchant')
    const change = await backOffice.finishRefund(id, refundId, status)
    if (change === 'not-found') throw new ApiError('refund_not_found')
    if (change === 'not-allowed') throw notAllowed([])
    const code = await backOffice.transactionOfRefund(id, refundId)
    return context.json({ 'refund-id': refundId, 'transaction-code': code, status })
  })

  app.get('/sandbox/clock', signedToRead, (context) => context.json(clockBody(clock)))
  app.get('/sandbox/clock/preview', signedToRead, async (context) => {
    const { seconds } = accepted(
      { seconds: Number(context.req.query('seconds')) },
      advanceRequestTable,
    )
    const asked = { storeId: context.get('merchant').id, durationMs: seconds * SECOND_MS }
    const { nowMs, thenMs, ...due } = await preview(asked, backOffice)
    const [now, then] = [nowMs, thenMs].map((atMs) => new Date(atMs).toISOString())
    return context.json({ ...clockBody(clock), now, then, due })
  })
  app.post('/sandbox/clock/advance', signed, async (context) => {
    const { seconds } = await readRequest(context, advanceRequestTable)
    await clock.advance(seconds * SECOND_MS)
    return context.json(clockBody(clock))
  })
  return app
}

function clockBody(clock: TestClock) {
  return {
    now: new Date(clock.now()).toISOString(),
    'ahead-seconds': clock.offsetMs() / SECOND_MS,
  }
}

type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failures: readonly Failure[] }

interface RequestTable<Value> {
  validate(body: unknown, facts: undefined): Validated<Value>
}

function accepted<Value>(given: unknown, table: RequestTable<Value>): Value {
  const request = table.validate(given, undefined)
  if (!request.ok) throw new ApiError(request.failures)
  return request.value
}

/** Parses a request's body; a body that its table refuses is answered with its codes. */
async function readRequest<Value>(
  context: Context<GatewayEnv>,
  table: RequestTable<Value>,
): Promise<Value> {
  return accepted(await readJson(context, 'sandbox_request_invalid'), table)
}

function notAllowed(allowed: readonly string[]): ApiError {
  const cause = allowed.length === 0 ? 'final' : 'next'
  return new ApiError([{ name: 'status_change_not_allowed', property: 'status', allowed, cause }])
}
