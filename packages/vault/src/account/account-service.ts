import {
  type AccountAction,
  type AccountActor,
  type AccountChange,
  type AccountReader,
  type AccountRow,
  type AccountSealing,
  type AccountStore,
  type AccountsByCharge,
  type SealedFor,
  createAccountReader,
  createSqlAccountStore,
} from '@cofre/provider-kit/account'
import {
  CARD_BRANDS,
  type CardAccount,
  type Environment,
  Secret,
  isAccepted,
} from '@cofre/contracts'
import { type AuditAction, type AuditEvent, auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { type SealContext, type SealedText, open, seal } from '../keys/sealed-value.js'

/** The vault's accounts: those of acquirers. The audit log records each change. */
export function createVaultAccounts(deps: SealingDeps, environment: Environment): AccountStore {
  const { database, clock } = deps
  return createSqlAccountStore({
    database,
    environment,
    clock,
    sealing: sealingIn(deps, environment),
    keepChange: (trx: VaultConnection, change, actor) =>
      appendEntry(trx, auditEntry(eventOf(environment, change, actor), clock.now())),
  })
}

/** Finds accounts of both environments by their ids. Unchanged secrets are opened only once. */
export function createVaultAccountReader(deps: SealingDeps): AccountReader {
  return createAccountReader(deps.database, (environment) => sealingIn(deps, environment))
}

function sealingIn({ dataKeys }: SealingDeps, environment: Environment): AccountSealing {
  const contextOf = ({ id: recordId, merchantId }: SealedFor): SealContext => ({
    purpose: 'provider-account',
    environment,
    merchantId,
    recordId,
  })
  return {
    async seal(account, text) {
      const key = await dataKeys.of(`provider-accounts:${environment}:${account.merchantId}`)
      return seal(key, text.reveal(), contextOf(account))
    },
    async open(account, text) {
      const sealed = text as SealedText
      const key = await dataKeys.thatSealed(sealed)
      return new Secret(open(key, sealed, contextOf(account)).toString())
    },
  }
}

/** A store's accounts for charges by card, if it has any. Their secrets stay sealed. */
export function cardAccountsByCharge(
  deps: SealingDeps,
  { environment, merchantId }: { readonly environment: Environment; readonly merchantId: string },
): Promise<AccountsByCharge | undefined> {
  return createVaultAccounts(deps, environment).byCharge({ merchantId, method: 'card' })
}

/**
 * The most installments in which an account charges a card of a brand: 0 if it charges none,
 * undefined if it names no bound.
 */
export type InstallmentsOf = (
  account: Pick<AccountRow, 'provider' | 'settings'>,
  brand: string,
) => Promise<number | undefined>

/**
 * Days for which an account can capture an authorization of a card of a brand; undefined if its
 * provider captures charges at once.
 */
export type CaptureDaysOf = InstallmentsOf

const BRANDS = CARD_BRANDS.filter(isAccepted).map(({ name }) => name)

/**
 * A store's accounts as a gateway shows them. Their secrets stay sealed, because they may fail to
 * open.
 */
export async function cardAccountsOf(
  deps: SealingDeps,
  installmentsOf: InstallmentsOf,
  { environment, storeId }: { readonly environment: Environment; readonly storeId: string },
): Promise<readonly CardAccount[]> {
  const accounts = createVaultAccounts(deps, environment)
  const [known, orders] = await Promise.all([accounts.list(storeId), accounts.orders(storeId)])
  return await Promise.all(
    known.map(async ({ id, provider, kind, label, settings, ...account }) => {
      const asked = { provider, settings: JSON.stringify(settings) }
      const bounds = await Promise.all(BRANDS.map((brand) => installmentsOf(asked, brand)))
      const { certificateUntilMs, disabledAtMs, lastTest } = account
      return {
        id,
        provider,
        kind,
        label,
        isOrdered: orders.some(({ ids }) => ids.includes(id)),
        brands: BRANDS.filter((_, place) => bounds[place] !== 0),
        certificateUntilMs,
        lastTest,
        disabledAtMs,
      }
    }),
  )
}

const ACTIONS: Readonly<Record<AccountAction, AuditAction>> = {
  'account-added': 'account.added',
  'account-rotated': 'account.rotated',
  'account-disabled': 'account.disabled',
  'account-enabled': 'account.enabled',
  'account-renamed': 'account.renamed',
  'accounts-ordered': 'accounts.ordered',
}

function eventOf(
  environment: Environment,
  { merchantId, action, settings }: AccountChange,
  actor: AccountActor,
): AuditEvent {
  const common = { actor, action: ACTIONS[action], environment, merchantId }
  if (action === 'account-renamed') {
    const { account, label } = settings
    return { ...common, record: account?.to ?? '', outcome: `${label?.from} -> ${label?.to}` }
  }
  if (action !== 'accounts-ordered')
    return { ...common, record: settings.account?.to ?? '', outcome: 'done' }
  const [[route, { to }] = ['', { to: '' }]] = Object.entries(settings)
  return { ...common, record: route, outcome: to ?? '' }
}
