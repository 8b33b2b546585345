import { type InterestBody, type InterestElement, interestChangeTable } from '@cofre/contracts'
import type { Hono } from 'hono'
import { formatTimestamp } from '../../model/calendar/brazilian-calendar.js'
import type { InstallmentTerms } from '../../model/card/installment-plan.js'
import type { InterestChange } from '../../model/card/store-interest.js'
import type { FoundInterest } from '../../payment/interest-service.js'
import type { RouteDeps } from '../gateway-api.js'
import { jsonResponse } from '../request/json-response.js'
import { type GatewayEnv, readJson, signedInterface } from '../request/signed-request.js'

/** The cost of installments at the requesting store. */
export function addInterestRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api } = deps

  const lookUp = signedInterface(deps, {
    scope: 'read',
    version: 'v1',
    checks: ['accept-language'],
  })
  app.get('/interest', lookUp, (context) =>
    jsonResponse(context, interestBody(api.interestOf(context.get('merchant')))),
  )

  // Changes are added by POST: the specification's signature does not cover the method.
  const change = signedInterface(deps, {
    scope: 'configure',
    version: 'v2',
    checks: ['content-type'],
    body: interestChangeTable,
  })
  app.post('/interest/changes', change, async (context) => {
    const json = await readJson(context, 'interest_invalid')
    const found = await api.changeInterest(context.get('merchant'), {
      request: api.readInterestChange(json, context.get('merchant')),
      nonce: context.get('nonce'),
    })
    return jsonResponse(context, interestBody(found), { status: 201 })
  })
}

function interestBody({ usual, changes }: FoundInterest): InterestBody {
  return { interest: { usual: termsBody(usual), changes: changes.map(changeElement) } }
}

function changeElement({ brand, fromMs, terms }: InterestChange): InterestElement {
  return {
    brand: brand ?? null,
    ...(terms === null
      ? { 'monthly-rate-percent': null, 'interest-free': null }
      : termsBody(terms)),
    from: formatTimestamp(fromMs),
  }
}

function termsBody({ monthlyRate, interestFree }: InstallmentTerms) {
  // Removes float noise: 2.99, not 2.9899999999999998.
  return {
    'monthly-rate-percent': Number((monthlyRate * 100).toFixed(6)),
    'interest-free': interestFree,
  }
}
