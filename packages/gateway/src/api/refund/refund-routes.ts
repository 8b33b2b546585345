import { ApiError } from '@cofre/contracts'
import type { Hono } from 'hono'
import type { AuthenticationDeps } from '../../payment/authentication-service.js'
import { jsonResponse } from '../request/error-response.js'
import type { GatewayEnv } from '../request/gateway-env.js'
import { idempotentInterface } from '../request/idempotent-interface.js'
import { readJson } from '../request/json-body.js'
import { type InterfaceRules, signedInterface } from '../request/signed-interface.js'
import type { IdempotencyDeps } from '../../payment/idempotency-service.js'
import { type RefundDeps, createRefund, readRefundRequest } from '../../payment/refund-service.js'

type RouteDeps = RefundDeps &
  IdempotencyDeps &
  AuthenticationDeps & {
    readonly mediaVendor: string
    /** Where a refund with `test-mode: 1` goes: the sandbox, from either origin. */
    readonly testRefunds: (RefundDeps & AuthenticationDeps) | undefined
  }

const REFUND: InterfaceRules = { version: 'v2', checks: ['content-type'] }

export function addRefundRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = signedInterface(deps, REFUND)
  app.post('/refunds', signed, idempotentInterface(deps), async (context) => {
    const json = await readJson(context, 'refund_invalid')
    const merchant = context.get('merchant')
    const request = readRefundRequest(json, deps.requestPolicy, merchant)
    const refund =
      request['test-mode'] === 1 && deps.testRefunds !== undefined
        ? await createTestRefund(deps.testRefunds, merchant.id, request)
        : await createRefund(deps, merchant, request)
    const response = jsonResponse(context, { 'refund-id': String(refund.id) }, 201)
    response.headers.set('Location', `/transactions/${refund.transactionCode}`)
    return response
  })
}

/** A sandbox refund for a store that signed on the production origin. @throws ApiError partner_not_found */
async function createTestRefund(
  deps: RefundDeps & AuthenticationDeps,
  merchantId: string,
  request: Parameters<typeof createRefund>[2],
): ReturnType<typeof createRefund> {
  const merchant = await deps.merchants.find(merchantId)
  if (merchant === undefined) throw new ApiError('partner_not_found')
  return await createRefund(deps, merchant, request)
}
