import {
  ApiError,
  type BinBody,
  type CardBrand,
  type InstallmentBody,
  type MinorUnits,
} from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import { type BinFacts, invalidParameter, readLookup } from '../../model/card/card-lookup.js'
import type { RouteDeps } from '../gateway-api.js'
import { type GatewayEnv, signedInterface } from '../request/signed-request.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'

interface LookedUpBrand {
  readonly property: 'bin' | 'brand'
  readonly sent: string
  readonly brand: CardBrand
}

/** The lookups of section 4.2 of the specification. */
export function addCardLookupRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const signed = (query: readonly string[]) =>
    signedInterface(deps, { version: 'v1', checks: [], query })

  /** A brand that no account of the store charges is none that is accepted. */
  const installmentsCharged = async (
    context: Context<GatewayEnv>,
    { property, sent, brand }: LookedUpBrand,
  ): Promise<number | undefined> => {
    const most = await deps.api.installmentsCharged(context.get('merchant'), brand.name)
    if (most === 0) throw new ApiError([invalidParameter(property, sent)])
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
    const of = { property: 'bin', sent: bin.digits, brand: bin.brand, amount } as const
    const installments = await installmentBodies(context, of)
    return jsonResponse(context, { bin: binBody(bin), installments })
  })

  const ofBrand = ['brand', 'country', 'amount', 'currency'] as const
  app.get('/card/installments', signed(ofBrand), async (context) => {
    const installments = await namingChargedBrands(deps, context, async () => {
      const { amount, brand } = readLookup(context.req.query(), ofBrand)
      const of = { property: 'brand', sent: brand.name, brand, amount } as const
      return await installmentBodies(context, of)
    })
    return jsonResponse(context, { installments })
  })

  app.get('/card/bin/:bin?', signed([]), async (context) => {
    const { bin } = readLookup({ bin: context.req.param('bin') }, ['bin'])
    await installmentsCharged(context, { property: 'bin', sent: bin.digits, brand: bin.brand })
    return jsonResponse(context, { bin: binBody(bin) })
  })
}

/** A refusal of a brand names those that the store's accounts charge. */
async function namingChargedBrands<Found>(
  { api }: RouteDeps,
  context: Context<GatewayEnv>,
  find: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.failures.every(({ name }) => name !== 'brand_invalid')) throw error
    const charged = await api.brandsCharged(context.get('merchant'))
    const allowed = charged.length === 0 ? undefined : charged
    throw new ApiError(
      error.failures.map((one) => (one.name === 'brand_invalid' ? { ...one, allowed } : one)),
      { cause: error },
    )
  }
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
