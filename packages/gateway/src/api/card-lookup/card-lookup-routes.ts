import type { BinBody, InstallmentBody, MinorUnits } from '@cofre/contracts'
import type { Hono } from 'hono'
import { type BinFacts, readLookup } from '../../model/card/card-lookup.js'
import type { Merchant } from '../../model/merchant/merchant.js'
import type { RouteDeps } from '../gateway-api.js'
import { type GatewayEnv, signedInterface } from '../request/signed-request.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'

/** The lookups of section 4.2 of the specification. */
export function addCardLookupRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = (query: readonly string[]) =>
    signedInterface(deps, { version: 'v1', checks: [], query })
  const installmentBodies = async (
    merchant: Merchant,
    priced: { readonly amount: MinorUnits; readonly brand: string },
  ): Promise<InstallmentBody[]> =>
    (await deps.api.offeredInstallments(merchant, priced)).map(
      ({ quantity, totalMinor, installmentMinor, interestFree }) => ({
        quantity,
        totalAmount: jsonAmount(totalMinor),
        installmentAmount: jsonAmount(installmentMinor),
        interestFree,
      }),
    )

  const ofCard = ['bin', 'country', 'amount', 'currency'] as const
  app.get('/card', signed(ofCard), async (context) => {
    const { bin, amount } = readLookup(context.req.query(), ofCard)
    const installments = await installmentBodies(context.get('merchant'), {
      amount,
      brand: bin.brand.name,
    })
    return jsonResponse(context, { bin: binBody(bin), installments })
  })

  const ofBrand = ['brand', 'country', 'amount', 'currency'] as const
  app.get('/card/installments', signed(ofBrand), async (context) => {
    const { amount, brand } = readLookup(context.req.query(), ofBrand)
    const priced = { amount, brand: brand.name }
    return jsonResponse(context, {
      installments: await installmentBodies(context.get('merchant'), priced),
    })
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
