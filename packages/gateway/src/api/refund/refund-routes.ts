import type { Hono } from 'hono'
import type { RouteDeps } from '../gateway-api.js'
import { jsonResponse } from '../request/error-response.js'
import type { GatewayEnv } from '../request/gateway-env.js'
import { idempotentInterface } from '../request/idempotent-interface.js'
import { readJson } from '../request/json-body.js'
import { type InterfaceRules, signedInterface } from '../request/signed-interface.js'

const REFUND: InterfaceRules = { version: 'v2', checks: ['content-type'] }

export function addRefundRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api, testRefunds } = deps
  const signed = signedInterface(deps, REFUND)
  app.post('/refunds', signed, idempotentInterface(api), async (context) => {
    const json = await readJson(context, 'refund_invalid')
    const merchant = context.get('merchant')
    const request = api.readRefundRequest(json, merchant)
    const refund =
      request['test-mode'] === 1 && testRefunds !== undefined
        ? await testRefunds.createRefundFor(merchant.id, request)
        : await api.createRefund(merchant, request)
    const response = jsonResponse(context, { 'refund-id': String(refund.id) }, 201)
    response.headers.set('Location', `/transactions/${refund.transactionCode}`)
    return response
  })
}
