import type { CardService, Clock, Environment, Log } from '@cofre/contracts'
import type { ArrivedMoney } from '@cofre/banks/room'
import type { GatewayTables, PagePart } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type DueWork } from '@cofre/work'
import { createArrivedMoney } from './arrived-money.js'
import { createCoverageTeller } from './covered-accounts.js'
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

/** What money that arrives is kept with. */
export interface ArrivedMoneyOptions {
  /** Of the gateway of an environment. */
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
  /** Is told which days files cover. */
  readonly cards: Pick<CardService, 'coverAccounts'>
  readonly log: Log
}

/** What banks and acquirers paid out, compared with the payments of an environment. */
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
  const tellOfSettledDays = createCoverageTeller({ ...options, ...stores })
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
      { name: 'settled days', everyMs: EVERY_MS, run: tellOfSettledDays },
    ],
  }
}

/** Beside the processes that serve, for a command that takes a file in. */
export function createMoneyOfFiles(options: ArrivedMoneyOptions): ArrivedMoney {
  const stores = storesOf(options)
  const files = createSettlementImport({ ...options, ...stores })
  return createArrivedMoney({ files, lists: stores.pixSettlements })
}
