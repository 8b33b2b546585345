import { createHash } from 'node:crypto'
import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { type GatewayTables, dayInBrasilia } from '@cofre/gateway/room'
import type { MadeRemittance, Skip } from './model/stores.js'
import { createSqlRemittanceStore } from './sql/remittance-store-sql.js'
import type { BoletoFileBank, Remittance } from '@cofre/provider-kit/bank'

/** An account whose bank is told by files, and what a command has of its environment. */
export interface RemittanceOptions {
  readonly database: Database<GatewayTables>
  readonly accountId: string
  readonly bank: BoletoFileBank
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
}

/** A file for the bank. */
export interface RemittanceFile extends MadeRemittance {
  /** ASCII. */
  readonly text: string
}

/** The remittance files of an account. */
export interface Remittances {
  /**
   * A file of all that waits, committed; the one before again, where it was never said to be
   * `saved`. Undefined where nothing waits.
   */
  make(): Promise<RemittanceFile | undefined>
  /** An earlier file, byte for byte; `changed` where it cannot be written so any more. */
  again(sequence: number): Promise<RemittanceFile | 'changed' | undefined>
  /** Somebody has the file: what is asked next comes into another. */
  saved(sequence: number): Promise<void>
  /** How many boletos came into no file before they were due. */
  countLate(): Promise<number>
  /** How many were due long ago, and no return file has said what became of them. */
  countUnanswered(): Promise<number>
  /** Goes on so far behind the last number, and the last file. */
  skip(by: Skip): Promise<void>
}

/** From its due date on a boleto is paid for eight days, and reported within six more. */
const ANSWERED_WITHIN_DAYS = 14

export function createRemittances({
  database,
  accountId,
  bank,
  ...clocks
}: RemittanceOptions): Remittances {
  const store = createSqlRemittanceStore(database)
  const today = (): string => dayInBrasilia(clocks.clock.now(), 0)
  const withText = (made: MadeRemittance): RemittanceFile | undefined => {
    const text = bank.remittanceFile(made)
    return digestOf(text) === made.sha256 ? { ...made, text } : undefined
  }
  return {
    async make() {
      const digest = (remittance: Remittance) => digestOf(bank.remittanceFile(remittance))
      const machineNowMs = clocks.machineClock.now()
      const made = await store.make({ accountId, today: today(), machineNowMs, digest })
      if (made === undefined) return undefined
      const file = withText(made)
      if (file !== undefined) return file
      // Nobody is known to have it: the account goes on with what can be written now.
      const text = bank.remittanceFile(made)
      const sha256 = digestOf(text)
      await store.rewrite(accountId, made.sequence, sha256)
      return { ...made, sha256, text }
    },

    async again(sequence) {
      const made = await store.find(accountId, sequence)
      return made && (withText(made) ?? 'changed')
    },

    saved: (sequence) => store.saved(accountId, sequence),

    countLate: () => store.countLate(accountId, today()),

    countUnanswered: () =>
      store.countUnanswered(accountId, dayInBrasilia(clocks.clock.now(), -ANSWERED_WITHIN_DAYS)),

    skip: (by) => store.skip(accountId, by),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
