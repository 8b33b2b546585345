import type { CardService, Clock, Environment, Log } from '@cofre/contracts'
import type { ArrivedMoney } from '@cofre/banks/room'
import type { GatewayTables, PagePart } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type DueWork } from '@cofre/work'
import { createArrivedMoney } from './arrived-money.js'
import { createCoverageReporter } from './covered-accounts.js'
import type { SettlementFormats } from './model/settlement-formats.js'
import { createSettlementImport, workOnSettlements } from './settlement-import.js'
import type { Settlements } from './model/settlements.js'
import { createSettlementActs } from './settlement-acts.js'
import { paidOutPart } from './sql/paid-out-sql.js'
import { storesOf } from './sql/stores-sql.js'

export type { Settlements } from './model/settlements.js'
export { OWN_FORMAT } from './own-format.js'
export {
  BANK_LIST,
  type SettlementFormats,
  createSettlementFormats,
} from './model/settlement-formats.js'

/** The dependencies of recording arrived money. */
export interface ArrivedMoneyOptions {
  /** The database of an environment's gateway. */
  readonly database: Database<GatewayTables>
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
  readonly formats: SettlementFormats
}

export interface SettlementsOptions extends ArrivedMoneyOptions {
  readonly environment: Environment
  /** Notified of the days that files cover. */
  readonly cards: Pick<CardService, 'coverAccounts'>
  readonly log: Log
}

/** Payouts of banks and acquirers, compared with an environment's payments. */
export interface SettlementsRoom {
  /** For the people of a store. */
  readonly settlements: Settlements
  /** For the gateway of the environment. */
  readonly money: ArrivedMoney
  /** For the page of a payment. */
  readonly pageParts: readonly PagePart[]
  /** For its worker. */
  readonly work: readonly DueWork<'settled days' | 'settlements'>[]
}

const EVERY_MS = 1000

export function createSettlements(options: SettlementsOptions): SettlementsRoom {
  const stores = storesOf(options)
  const files = createSettlementImport({ ...options, ...stores })
  const reportSettledDays = createCoverageReporter({ ...options, ...stores })
  return {
    settlements: createSettlementActs({ ...options, ...stores, files }),
    money: createArrivedMoney({ files, lists: stores.pixSettlements }),
    pageParts: [paidOutPart(options.database)],
    work: [
      {
        name: 'settlements',
        everyMs: EVERY_MS,
        run: ({ signal }) => workOnSettlements({ ...options, ...stores }, signal),
      },
      { name: 'settled days', everyMs: EVERY_MS, run: reportSettledDays },
    ],
  }
}

/** For a command that imports a file, in a process that serves nothing. */
export function createMoneyOfFiles(options: ArrivedMoneyOptions): ArrivedMoney {
  const stores = storesOf(options)
  const files = createSettlementImport({ ...options, ...stores })
  return createArrivedMoney({ files, lists: stores.pixSettlements })
}
