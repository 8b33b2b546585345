import type { Hono } from 'hono'
import type { RouteDeps } from '../gateway-api.js'
import type { GatewayEnv } from '../request/gateway-env.js'
import { jsonResponse } from '../request/error-response.js'
import { idempotentInterface } from '../request/idempotent-interface.js'
import { readJson } from '../request/json-body.js'
import { type InterfaceRules, signedInterface } from '../request/signed-interface.js'
import { searchBody } from './search-body.js'
import { transactionBody } from './transaction-body.js'

const CREATE: InterfaceRules = { version: 'v2', checks: ['content-type'] }
const SEARCH: InterfaceRules = { version: 'v1', checks: ['content-type', 'accept-language'] }

export function addTransactionRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api, publicUrl } = deps
  const signed = signedInterface(deps, CREATE)
  app.post('/transactions', signed, idempotentInterface(api), async (context) => {
    const transaction = await api.createTransaction(context.get('merchant'), {
      json: await readJson(context, 'body_invalid'),
      isRetry: context.get('isRetry'),
    })
    return jsonResponse(context, transactionBody(transaction, publicUrl), 201)
  })

  app.get('/transactions', signedInterface(deps, SEARCH), async (context) => {
    const page = await api.searchTransactions(context.get('merchant'), context.req.query())
    return jsonResponse(context, searchBody(page), 200)
  })

  app.get('/transactions/:code', signedInterface(deps, SEARCH), async (context) => {
    const page = await api.searchOne(context.get('merchant'), context.req.param('code'))
    return jsonResponse(context, searchBody(page), 200)
  })
}
