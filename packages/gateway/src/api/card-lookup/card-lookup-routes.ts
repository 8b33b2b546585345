import {
  ApiError,
  type BinBody,
  type CardBrand,
  type InstallmentBody,
  type MinorUnits,
} from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import { type BinFacts, readLookup, unchargedBrand } from '../../model/card/card-lookup.js'
import type { RouteDeps } from '../gateway-api.js'
import { type GatewayEnv, signedInterface } from '../request/signed-request.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'

interface LookedUpBrand {
  readonly property: 'bin' | 'brand'
  readonly brand: CardBrand
}

/** The lookups of section 4.2 of the specification. */
export function addCardLookupRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = (query: readonly string[]) =>
    signedInterface(deps, { scope: 'read', version: 'v1', checks: [], query })

  /** Refuses a brand that no account of the store charges. */
  const installmentsCharged = async (
    context: Context<GatewayEnv>,
    { property, brand }: LookedUpBrand,
  ): Promise<number | undefined> => {
    const most = await deps.api.installmentsCharged(context.get('merchant'), brand.name)
    if (most === 0) throw new ApiError([unchargedBrand(property, brand)])
    return most
  }

  const installmentBodies = async (
    context: Context<GatewayEnv>,
    { amount, ...of }: LookedUpBrand & { readonly amount: MinorUnits },
  ): Promise<InstallmentBody[]> => {
    const most = await installmentsCharged(context, of)
    return deps.api
      .shownInstallments(context.get('merchant'), { amount, brand: of.brand.name })
      .slice(0, most)
      .map(({ quantity, totalMinor, installmentMinor, interestFree }) => ({
        quantity,
        totalAmount: jsonAmount(totalMinor),
        installmentAmount: jsonAmount(installmentMinor),
        interestFree,
      }))
  }

  const ofCard = ['bin', 'country', 'amount', 'currency'] as const
  app.get('/card', signed(ofCard), async (context) => {
    const { bin, amount } = readLookup(context.req.query(), ofCard)
    const of = { property: 'bin', brand: bin.brand, amount } as const
    const installments = await installmentBodies(context, of)
    return jsonResponse(context, { bin: binBody(bin), installments })
  })

  const ofBrand = ['brand', 'country', 'amount', 'currency'] as const
  app.get('/card/installments', signed(ofBrand), async (context) => {
    const { amount, brand } = readLookup(context.req.query(), ofBrand)
    const of = { property: 'brand', brand, amount } as const
    return jsonResponse(context, { installments: await installmentBodies(context, of) })
  })

  app.get('/card/bin/:bin?', signed([]), async (context) => {
    const { bin } = readLookup({ bin: context.req.param('bin') }, ['bin'])
    await installmentsCharged(context, { property: 'bin', brand: bin.brand })
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
