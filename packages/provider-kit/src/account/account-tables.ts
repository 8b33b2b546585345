import type { Environment } from '@cofre/contracts'
import type { AccountKind, AccountMethod } from './account.js'

/** A contract of a store with a provider. */
export interface AccountRow {
  /** Unique in the database. */
  id: string
  environment: Environment
  merchant_id: string
  provider: string
  kind: AccountKind
  label: string
  /** JSON without secrets. */
  settings: string
  /** JSON of AccountSecrets, sealed: see AccountSealing. */
  sealed: string
  /** End of the client certificate. */
  certificate_until: number | null
  tested_at: number | null
  test_failure: string | null
  disabled_at: number | null
  created_at: number
}

/** A place in the order of a store's accounts. */
export interface AccountRouteRow {
  environment: Environment
  merchant_id: string
  method: AccountMethod
  /** Empty for all brands. */
  brand: string
  /** 1 for any number of installments. */
  from_installments: number
  /** From 1. */
  position: number
  account_id: string
  /** The same in all places of an order: 1 if a declined charge goes to the next account. */
  routes_declines: 0 | 1
}

/** At most one row: the database was served as a trial. */
interface TrialMarkRow {
  mark: 'trial'
  marked_at: number
}

export interface AccountTables {
  accounts: AccountRow
  account_routes: AccountRouteRow
  trial_marks: TrialMarkRow
}

/** The columns of an account. */
export const ACCOUNT_COLUMNS = [
  'id',
  'environment',
  'merchant_id',
  'provider',
  'kind',
  'label',
  'settings',
  'sealed',
  'certificate_until',
  'tested_at',
  'test_failure',
  'disabled_at',
  'created_at',
] as const satisfies readonly (keyof AccountRow)[]
