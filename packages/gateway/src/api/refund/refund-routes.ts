import { refundRequestTable } from '@cofre/contracts'
import type { Hono } from 'hono'
import type { RouteDeps } from '../gateway-api.js'
import { type GatewayEnv, readJson, signedInterface } from '../request/signed-request.js'
import { jsonResponse } from '../request/json-response.js'

export function addRefundRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api, sandbox } = deps
  const signed = signedInterface(deps, {
    scope: 'refund',
    version: 'v2',
    checks: ['content-type'],
    body: refundRequestTable,
  })
  app.post('/refunds', signed, async (context) => {
    const merchant = context.get('merchant')
    const request = api.readRefundRequest(await readJson(context, 'refund_invalid'), merchant)
    const creation = {
      request,
      nonce: context.get('nonce'),
      key: context.req.header('idempotency-key'),
      isRetry: context.get('isRetry'),
    }
    const refund =
      request['test-mode'] === 1 && sandbox !== undefined
        ? await sandbox.api.createRefundFor(merchant.id, creation)
        : await api.createRefund(merchant, creation)
    const headers = { Location: `/transactions/${refund.transactionCode}` }
    return jsonResponse(context, { 'refund-id': String(refund.id) }, { status: 201, headers })
  })
}
