import { createHash } from 'node:crypto'
import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { type GatewayTables, dayInBrasilia } from '@cofre/gateway/room'
import type { CreatedRemittance, Skip } from './model/stores.js'
import { createSqlRemittanceStore } from './sql/remittance-store-sql.js'
import type { BoletoFileBank, Remittance } from '@cofre/provider-kit/bank'

/** An account whose bank works by files, and a command's dependencies. */
export interface RemittanceOptions {
  readonly database: Database<GatewayTables>
  readonly accountId: string
  readonly bank: BoletoFileBank
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
}

/** A remittance file for the bank. */
export interface RemittanceFile extends CreatedRemittance {
  /** ASCII. */
  readonly text: string
}

/** The remittance files of an account. */
export interface Remittances {
  /**
   * Commits a file of all waiting instructions. Returns the previous file again if it was never
   * marked as `saved`; undefined if nothing waits.
   */
  create(): Promise<RemittanceFile | undefined>
  /** Returns an earlier file, byte for byte; `changed` if it can no longer be written so. */
  again(sequence: number): Promise<RemittanceFile | 'changed' | undefined>
  /** Records that the operator has the file: later requests go into another. */
  saved(sequence: number): Promise<void>
  /** The number of boletos that were due before a file included them. */
  countLate(): Promise<number>
  /** The number of boletos that were due long ago, without a result in any return file. */
  countUnanswered(): Promise<number>
  /** Skips this many numbers and files after the last ones. */
  skip(by: Skip): Promise<void>
}

/** A boleto can be paid for eight days from its due date on, and is reported within six more. */
const ANSWERED_WITHIN_DAYS = 14

export function createRemittances({
  database,
  accountId,
  bank,
  ...clocks
}: RemittanceOptions): Remittances {
  const store = createSqlRemittanceStore(database)
  const today = (): string => dayInBrasilia(clocks.clock.now(), 0)
  const withText = (made: CreatedRemittance): RemittanceFile | undefined => {
    const text = bank.remittanceFile(made)
    return digestOf(text) === made.sha256 ? { ...made, text } : undefined
  }
  return {
    async create() {
      const digest = (remittance: Remittance) => digestOf(bank.remittanceFile(remittance))
      const machineNowMs = clocks.machineClock.now()
      const made = await store.make({ accountId, today: today(), machineNowMs, digest })
      if (made === undefined) return undefined
      const file = withText(made)
      if (file !== undefined) return file
      // The file is not known to be saved: the current text replaces it.
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
