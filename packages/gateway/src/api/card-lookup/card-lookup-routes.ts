import type { Hono } from 'hono'
import type { RouteDeps } from '../gateway-api.js'
import { jsonResponse } from '../request/error-response.js'
import type { GatewayEnv } from '../request/gateway-env.js'
import { type InterfaceRules, signedInterface } from '../request/signed-interface.js'
import { readLookup } from '../../model/card/card-lookup.js'
import { binBody, installmentBody } from './card-lookup-body.js'
import { installmentPlan } from '../../model/card/installment-plan.js'

const LOOKUP: InterfaceRules = { version: 'v1', checks: [] }

/** The lookups of section 4.2 of the specification. */
export function addCardLookupRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = signedInterface(deps, LOOKUP)
  const terms = deps.api.installmentTerms

  app.get('/card', signed, (context) => {
    const { bin, amount } = readLookup(context.req.query(), [
      'bin',
      'country',
      'amount',
      'currency',
    ])
    const installments = installmentPlan(amount, terms).map(installmentBody)
    return jsonResponse(context, { bin: binBody(bin), installments }, 200)
  })

  app.get('/card/installments', signed, (context) => {
    const { amount } = readLookup(context.req.query(), ['brand', 'country', 'amount', 'currency'])
    return jsonResponse(
      context,
      { installments: installmentPlan(amount, terms).map(installmentBody) },
      200,
    )
  })

  app.get('/card/bin/:bin?', signed, (context) => {
    const { bin } = readLookup({ bin: context.req.param('bin') }, ['bin'])
    return jsonResponse(context, { bin: binBody(bin) }, 200)
  })
}
