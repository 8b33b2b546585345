import type { AccountStore } from '@cofre/provider-kit/account'
import {
  type CardAccounts,
  type Clock,
  type Environment,
  type Log,
  SECOND_MS,
} from '@cofre/contracts'
import type { ShownAccount, ShownAccounts } from '@cofre/panel'
import { loadAcquirerTerms, loadBanks } from '@cofre/providers'
import { answeredWithin } from '@cofre/work'
import { profileOf } from '../../installation/accounts.js'

/** Pause before the vault is called again, after a response or a failure. */
const REMEMBERED_MS = 15 * SECOND_MS
/** Limit of a page's wait for names. */
const WAIT_MS = 1 * SECOND_MS
const REMEMBERED_MAX = 1000

export interface ShownAccountsDeps {
  readonly environment: Environment
  /** The gateway's store of accounts with banks. */
  readonly accounts: Pick<AccountStore, 'list' | 'orders'>
  /** In this process or in another. */
  readonly vault: CardAccounts
  readonly clock: Clock
  readonly log: Log
  readonly companies?: () => Promise<readonly Companies[]>
}

/**
 * A store's accounts with banks and acquirers, for the console. The acquirers' come from the
 * vault's last response; without one, only the banks' are shown.
 */
export function createShownAccounts(deps: ShownAccountsDeps): ShownAccounts {
  const { companies = loadCompanies } = deps
  const cards = createCardAccounts(deps)
  return {
    async list(storeId) {
      const [banks, acquirers] = await Promise.all([bankAccounts(deps, storeId), cards(storeId)])
      const known = banks.length + acquirers.length === 0 ? [] : await companies()
      return [...banks, ...acquirers].map(({ profile, ...account }) => ({
        ...account,
        company: companyOf(known, { provider: account.provider, profile }),
      }))
    },
  }
}

type Found = Omit<ShownAccount, 'company'> & { readonly profile: string | undefined }

async function bankAccounts(
  { accounts }: ShownAccountsDeps,
  storeId: string,
): Promise<readonly Found[]> {
  const [known, orders] = await Promise.all([accounts.list(storeId), accounts.orders(storeId)])
  return known.map((account) => ({
    ...described(account),
    keeper: 'gateway',
    profile: profileOf(account),
    methods: [
      ...new Set(orders.filter(({ ids }) => ids.includes(account.id)).map(({ method }) => method)),
    ],
    brands: [],
  }))
}

interface Described extends Pick<
  ShownAccount,
  'id' | 'provider' | 'kind' | 'label' | 'certificateUntilMs' | 'disabledAtMs'
> {
  readonly lastTest?: { readonly atMs: number; readonly failure?: string | undefined } | undefined
}

/** Names the properties one by one, so that no others are shown. */
function described({
  id,
  provider,
  kind,
  label,
  certificateUntilMs,
  disabledAtMs,
  lastTest,
}: Described) {
  return {
    id,
    provider,
    kind,
    label,
    certificateUntilMs,
    disabledAtMs,
    lastTest: lastTest && { atMs: lastTest.atMs, failure: lastTest.failure },
  }
}

interface Remembered {
  readonly accounts: readonly Found[]
  readonly untilMs: number
}

/** A store's accounts with acquirers, as the vault last answered. */
export function createCardAccounts({
  clock,
  environment,
  log,
  vault,
}: Omit<ShownAccountsDeps, 'accounts'>) {
  const remembered = new Map<string, Remembered>()
  const ask = async (storeId: string): Promise<readonly Found[]> => {
    const found = await vault.cardAccounts(environment, storeId)
    return found.map((account) => ({
      ...described({ certificateUntilMs: undefined, disabledAtMs: undefined, ...account }),
      keeper: 'vault',
      profile: undefined,
      methods: account.isOrdered ? ['card'] : [],
      brands: account.brands,
    }))
  }
  return async (storeId: string): Promise<readonly Found[]> => {
    const nowMs = clock.now()
    const last = remembered.get(storeId)
    if (last !== undefined && nowMs < last.untilMs && last.untilMs <= nowMs + REMEMBERED_MS)
      return last.accounts
    const accounts = await answeredWithin(WAIT_MS, () => ask(storeId)).catch((error: unknown) => {
      log.warn({ error, store: storeId }, 'vault did not name the accounts with acquirers')
      return last?.accounts ?? []
    })
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(storeId, { accounts, untilMs: nowMs + REMEMBERED_MS })
    return accounts
  }
}

/** Companies behind the accounts of a provider; an acquirer is one company. */
interface Companies {
  readonly name: string
  readonly profiles: readonly { readonly name: string; readonly company: string }[]
}

/** Loaded when a page first shows an account. */
async function loadCompanies(): Promise<readonly Companies[]> {
  const [banks, acquirers] = await Promise.all([loadBanks(), loadAcquirerTerms()])
  return [
    ...banks,
    ...acquirers.map(({ name, company }) => ({ name, profiles: [{ name, company }] })),
  ]
}

/** Name of the bank or acquirer, for people. */
function companyOf(
  companies: readonly Companies[],
  { provider, profile }: { readonly provider: string; readonly profile: string | undefined },
): string {
  const profiles = companies.find(({ name }) => name === provider)?.profiles ?? []
  const found = profile === undefined ? profiles[0] : profiles.find(({ name }) => name === profile)
  return found?.company ?? profile ?? provider
}
