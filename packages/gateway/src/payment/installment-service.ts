// What installments cost, wherever it is asked: look-ups, pages, payments.
import {
  type CardService,
  INSTALLMENTS_MAX,
  type InstallmentsQuery,
  type MinorUnits,
  SECOND_MS,
} from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import { type Installment, installmentPlan } from '../model/card/installment-plan.js'
import { chargedTerms, shownTerms } from '../model/card/store-interest.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { GatewayDeps } from './gateway-deps.js'

/** A shopper looks at a form meanwhile. */
const TAKEN_WITHIN_MS = SECOND_MS

type InstallmentDeps = Pick<GatewayDeps, 'installmentTerms' | 'machineClock'>
type PricingStore = Pick<Merchant, 'interest' | 'installmentsMax'>

interface Priced {
  readonly amount: MinorUnits
  /** Undefined where it is not known: the cheapest brand's price holds. */
  readonly brand: string | undefined
}

/** What is shown of an amount of the store. It is charged no more for an hour. */
export function shownInstallments(
  { installmentTerms: usual, machineClock }: InstallmentDeps,
  store: PricingStore,
  { amount, brand }: Priced,
): readonly Installment[] {
  const query = { changes: store.interest, usual, brand, nowMs: machineClock.now() }
  return installmentPlan(amount, { terms: shownTerms(query), quantityMax: quantityMaxOf(store) })
}

type OfferDeps = InstallmentDeps & Pick<GatewayDeps, 'cards' | 'environment' | 'log'>

/** The same, as far as the store's accounts take the brand: all of it where the vault is away. */
export async function offeredInstallments(
  deps: OfferDeps,
  store: PricingStore & Pick<Merchant, 'id'>,
  priced: Priced & { readonly brand: string },
): Promise<readonly Installment[]> {
  const { cards, environment, log } = deps
  const installmentsMax = quantityMaxOf(store)
  const query = { environment, merchantId: store.id, brand: priced.brand, installmentsMax }
  const taken = await takenOf(cards, query).catch((error: unknown) => {
    log.warn({ error }, 'the vault did not say how many installments a store may offer')
    return undefined
  })
  return shownInstallments(deps, store, priced).slice(0, taken)
}

async function takenOf(cards: CardService, query: InstallmentsQuery): Promise<number | undefined> {
  const ask = cards.installmentsTaken
  return ask && (await answeredWithin(TAKEN_WITHIN_MS, () => ask(query)))
}

/** What an amount of the store is charged: no more than was shown of it in the last hour. */
export function chargedInstallments(
  { installmentTerms: usual, machineClock }: InstallmentDeps,
  store: PricingStore,
  { amount, brand }: Priced,
): readonly Installment[] {
  const query = { changes: store.interest, usual, brand, nowMs: machineClock.now() }
  return installmentPlan(amount, { terms: chargedTerms(query), quantityMax: quantityMaxOf(store) })
}

/** How many installments the store offers. */
export function quantityMaxOf({ installmentsMax }: PricingStore): number {
  return installmentsMax ?? INSTALLMENTS_MAX
}
