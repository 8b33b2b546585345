import type { BinBody, InstallmentBody, MinorUnits } from '@cofre/contracts'
import type { Hono } from 'hono'
import { type BinFacts, readLookup } from '../../model/card/card-lookup.js'
import { installmentPlan } from '../../model/card/installment-plan.js'
import type { RouteDeps } from '../gateway-api.js'
import { type GatewayEnv, signedInterface } from '../request/signed-request.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'

/** The lookups of section 4.2 of the specification. */
export function addCardLookupRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = (query: readonly string[]) =>
    signedInterface(deps, { version: 'v1', checks: [], query })
  const installmentBodies = (amount: MinorUnits): InstallmentBody[] =>
    installmentPlan(amount, deps.api.installmentTerms).map(
      ({ quantity, totalMinor, installmentMinor, interestFree }) => ({
        quantity,
        totalAmount: jsonAmount(totalMinor),
        installmentAmount: jsonAmount(installmentMinor),
        interestFree,
      }),
    )

  const ofCard = ['bin', 'country', 'amount', 'currency'] as const
  app.get('/card', signed(ofCard), (context) => {
    const { bin, amount } = readLookup(context.req.query(), ofCard)
    return jsonResponse(context, { bin: binBody(bin), installments: installmentBodies(amount) })
  })

  const ofBrand = ['brand', 'country', 'amount', 'currency'] as const
  app.get('/card/installments', signed(ofBrand), (context) => {
    const { amount } = readLookup(context.req.query(), ofBrand)
    return jsonResponse(context, { installments: installmentBodies(amount) })
  })

  app.get('/card/bin/:bin?', signed([]), (context) => {
    const { bin } = readLookup({ bin: context.req.param('bin') }, ['bin'])
    return jsonResponse(context, { bin: binBody(bin) })
  })
}

function binBody({ digits, brand }: BinFacts): BinBody {
  return {
    number: Number(digits),
    brand: brand.name,
    cvvSize: brand.cvvSize,
    expirable: true,
    validationAlgorithm: brand.luhn ? 'LUHN' : 'NONE',
    installment: true,
  }
}
