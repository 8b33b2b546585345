import type { Hono } from 'hono'
import type { GatewayEnv } from '../request/gateway-env.js'
import { jsonResponse } from '../request/error-response.js'
import { idempotentInterface } from '../request/idempotent-interface.js'
import { readJson } from '../request/json-body.js'
import { type InterfaceRules, signedInterface } from '../request/signed-interface.js'
import type { IdempotencyDeps } from '../../payment/idempotency-service.js'
import { searchBody } from './search-body.js'
import { type SearchDeps, searchOne, searchTransactions } from '../../payment/search-service.js'
import type { AuthenticationDeps } from '../../payment/authentication-service.js'
import { transactionBody } from './transaction-body.js'
import { type TransactionDeps, createTransaction } from '../../payment/transaction-service.js'

type RouteDeps = TransactionDeps &
  SearchDeps &
  IdempotencyDeps &
  AuthenticationDeps & {
    readonly mediaVendor: string
    /** Origin at which payers reach this environment, without a trailing slash. */
    readonly publicUrl: string
  }

const CREATE: InterfaceRules = { version: 'v2', checks: ['content-type'] }
const SEARCH: InterfaceRules = { version: 'v1', checks: ['content-type', 'accept-language'] }

export function addTransactionRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = signedInterface(deps, CREATE)
  app.post('/transactions', signed, idempotentInterface(deps), async (context) => {
    const transaction = await createTransaction(deps, context.get('merchant'), {
      json: await readJson(context, 'body_invalid'),
      isRetry: context.get('isRetry'),
    })
    return jsonResponse(context, transactionBody(transaction, deps.publicUrl), 201)
  })

  app.get('/transactions', signedInterface(deps, SEARCH), async (context) => {
    const page = await searchTransactions(deps, context.get('merchant'), context.req.query())
    return jsonResponse(context, searchBody(page), 200)
  })

  app.get('/transactions/:code', signedInterface(deps, SEARCH), async (context) => {
    const page = await searchOne(deps, context.get('merchant'), context.req.param('code'))
    return jsonResponse(context, searchBody(page), 200)
  })
}
