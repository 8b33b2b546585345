import { ApiError } from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.js'
import { jsonResponse } from '../http/error-response.js'
import { type InterfaceRules, signedInterface } from '../http/signed-interface.js'
import { pageOfOne, searchBody } from '../search/search-body.js'
import { searchTransactions } from '../search/search-service.js'
import type { AuthenticationDeps } from '../authentication/authentication-service.js'
import { transactionBody } from './transaction-body.js'
import { type TransactionDeps, createTransaction, findTransaction } from './transaction-service.js'

type RouteDeps = TransactionDeps & AuthenticationDeps & { readonly mediaVendor: string }

const CREATE: InterfaceRules = { version: 'v2', checks: ['content-type'] }
const SEARCH: InterfaceRules = { version: 'v1', checks: ['content-type', 'accept-language'] }

export function addTransactionRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  app.post('/transactions', signedInterface(deps, CREATE), async (context) => {
    const transaction = await createTransaction(
      deps,
      context.get('merchant'),
      await readJson(context),
    )
    return jsonResponse(context, transactionBody(transaction), 201)
  })

  app.get('/transactions', signedInterface(deps, SEARCH), async (context) => {
    const page = await searchTransactions(deps, context.get('merchant'), context.req.query())
    return jsonResponse(context, searchBody(page), 200)
  })

  app.get('/transactions/:code', signedInterface(deps, SEARCH), async (context) => {
    const merchant = context.get('merchant')
    const transaction = await findTransaction(deps, merchant, context.req.param('code'))
    return jsonResponse(context, searchBody(pageOfOne(merchant.id, transaction)), 200)
  })
}

async function readJson(context: Context<GatewayEnv>): Promise<unknown> {
  const bytes = await context.req.arrayBuffer()
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ApiError('body_invalid', { cause })
  }
}
