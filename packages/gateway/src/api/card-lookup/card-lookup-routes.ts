import {
  ApiError,
  type BinBody,
  type CardBrand,
  type InstallmentBody,
  type MinorUnits,
} from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import { type BinFacts, invalidParameter, readLookup } from '../../model/card/card-lookup.js'
import { installmentPlan } from '../../model/card/installment-plan.js'
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
  const installmentBodies = (amount: MinorUnits): InstallmentBody[] =>
    installmentPlan(amount, deps.api.installmentTerms).map(
      ({ quantity, totalMinor, installmentMinor, interestFree }) => ({
        quantity,
        totalAmount: jsonAmount(totalMinor),
        installmentAmount: jsonAmount(installmentMinor),
        interestFree,
      }),
    )

  /** A brand that no account of the store charges is none that is accepted. */
  const requireCharged = async (
    context: Context<GatewayEnv>,
    { property, sent, brand }: LookedUpBrand,
  ): Promise<void> => {
    if (!(await deps.api.isBrandCharged(context.get('merchant'), brand.name)))
      throw new ApiError([invalidParameter(property, sent)])
  }

  const ofCard = ['bin', 'country', 'amount', 'currency'] as const
  app.get('/card', signed(ofCard), async (context) => {
    const { bin, amount } = readLookup(context.req.query(), ofCard)
    await requireCharged(context, { property: 'bin', sent: bin.digits, brand: bin.brand })
    return jsonResponse(context, { bin: binBody(bin), installments: installmentBodies(amount) })
  })

  const ofBrand = ['brand', 'country', 'amount', 'currency'] as const
  app.get('/card/installments', signed(ofBrand), async (context) => {
    const { amount, brand } = readLookup(context.req.query(), ofBrand)
    await requireCharged(context, { property: 'brand', sent: brand.name, brand })
    return jsonResponse(context, { installments: installmentBodies(amount) })
  })

  app.get('/card/bin/:bin?', signed([]), async (context) => {
    const { bin } = readLookup({ bin: context.req.param('bin') }, ['bin'])
    await requireCharged(context, { property: 'bin', sent: bin.digits, brand: bin.brand })
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
