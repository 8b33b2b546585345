import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import type { BoletoInstruction, KeptInstruction } from '@cofre/provider-kit/bank'
import type { GatewayTables } from '@cofre/gateway/room'
import type { CreatedRemittance, NewRemittance, Skip } from '../model/stores.js'
import { type RoomTables, storedInstruction } from './boleto-file-tables.js'
import { lockCounter } from './instruction-store-sql.js'

type Db = Connection<RoomTables>

/** Remittance files, and their instructions. */
export function createSqlRemittanceStore(core: Database<GatewayTables>) {
  const database: Database<RoomTables> = core
  const { reader } = database
  return {
    /**
     * Commits a file of all waiting instructions; each goes into one file, also when called
     * concurrently. Undefined if nothing waits. A committed file that was not saved is returned
     * again instead.
     */
    make: (order: NewRemittance): Promise<CreatedRemittance | undefined> =>
      database.transact((trx) => make(trx, order)),

    find: (accountId: string, sequence: number) => findRemittance(reader, accountId, sequence),

    async saved(accountId: string, sequence: number): Promise<void> {
      await database.transact((trx) =>
        trx
          .updateTable('boleto_remittances')
          .set({ on_disk: 1 })
          .where('account_id', '=', accountId)
          .where('sequence', '=', sequence)
          .execute(),
      )
    },

    /** Replaces the digest of an unsaved file that can no longer be written as before. */
    async rewrite(accountId: string, sequence: number, sha256: string): Promise<void> {
      await database.transact((trx) =>
        trx
          .updateTable('boleto_remittances')
          .set({ sha256 })
          .where('account_id', '=', accountId)
          .where('sequence', '=', sequence)
          .where('on_disk', '=', 0)
          .execute(),
      )
    },

    /**
     * The number of live boletos at the bank that were due before this day: return files with their
     * results are missing.
     */
    countUnanswered: (accountId: string, dueBefore: string) =>
      countUnanswered(reader, accountId, dueBefore),

    /**
     * The number of waiting boletos that were due before a file included them: no bank accepts
     * them.
     */
    countLate: (accountId: string, today: string) => countLate(reader, accountId, today),

    /** Skips numbers that the bank may know from a lost database. */
    skip: (accountId: string, by: Skip): Promise<void> =>
      database.transact((trx) => skip(trx, accountId, by)),
  }
}

async function countLate(db: Db, accountId: string, today: string): Promise<number> {
  const { late } = await waiting(db, accountId)
    .select((of) => of.fn.countAll<number>().as('late'))
    .where('kind', '=', 'register')
    .where('due_date', '<', today)
    .executeTakeFirstOrThrow()
  return late
}

async function countUnanswered(db: Db, accountId: string, dueBefore: string): Promise<number> {
  const { unanswered } = await db
    .selectFrom('bank_charges')
    .innerJoin('boleto_instructions', (join) =>
      join
        .onRef('boleto_instructions.account_id', '=', 'bank_charges.account_id')
        .onRef('boleto_instructions.name', '=', 'bank_charges.txid')
        .on('boleto_instructions.kind', '=', 'register'),
    )
    .select((of) => of.fn.countAll<number>().as('unanswered'))
    .where('bank_charges.account_id', '=', accountId)
    // Literal, so that PostgreSQL uses the partial index.
    .where('bank_charges.state', '=', sql.lit('live'))
    .where('bank_charges.method', '=', 'boleto')
    .where('bank_charges.due_date', '<', dueBefore)
    .where('boleto_instructions.file', 'is not', null)
    .executeTakeFirstOrThrow()
  return unanswered
}

async function skip(trx: Db, accountId: string, { numbers, files }: Skip): Promise<void> {
  await trx
    .insertInto('boleto_counters')
    .values({ account_id: accountId, last_number: numbers, last_file: files })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((of) => ({
        last_number: of('boleto_counters.last_number', '+', numbers),
        last_file: of('boleto_counters.last_file', '+', files),
      })),
    )
    .execute()
}

function waiting(db: Db, accountId: string) {
  return (
    db
      .selectFrom('boleto_instructions')
      .where('account_id', '=', accountId)
      // Literal, so that PostgreSQL uses the partial index.
      .where('file', 'is', null)
      .where('withdrawn', '=', 0)
  )
}

async function make(trx: Db, order: NewRemittance): Promise<CreatedRemittance | undefined> {
  const { accountId, digest, machineNowMs, today } = order
  await lockCounter(trx, accountId)
  const unsaved = await trx
    .selectFrom('boleto_remittances')
    .select('sequence')
    .where('account_id', '=', accountId)
    .where('on_disk', '=', 0)
    .orderBy('sequence')
    .executeTakeFirst()
  if (unsaved !== undefined) return await findRemittance(trx, accountId, unsaved.sequence)
  const rows = await waiting(trx, accountId)
    .select(storedInstruction.columns)
    .where('payer', 'is not', null)
    .where((of) => of.or([of('kind', '=', 'cancel'), of('due_date', '>=', today)]))
    .orderBy('number')
    .execute()
  if (rows.length === 0) return undefined
  const { last_file: sequence } = await trx
    .updateTable('boleto_counters')
    .set((of) => ({ last_file: of('last_file', '+', 1) }))
    .where('account_id', '=', accountId)
    .returning('last_file')
    .executeTakeFirstOrThrow()
  const instructions = instructionsOf(rows.map(storedInstruction.read))
  const remittance = { sequence, writtenOn: today, instructions }
  const sha256 = digest(remittance)
  await trx
    .insertInto('boleto_remittances')
    .values({
      account_id: accountId,
      sequence,
      written_on: today,
      sha256,
      made_at: machineNowMs,
      on_disk: 0,
    })
    .execute()
  for (const { number, kind } of instructions)
    await trx
      .updateTable('boleto_instructions')
      .set({ file: sequence })
      .where('account_id', '=', accountId)
      .where('number', '=', number)
      .where('kind', '=', kind)
      .execute()
  return { ...remittance, sha256, isOnDisk: false }
}

async function findRemittance(
  db: Db,
  accountId: string,
  sequence: number,
): Promise<CreatedRemittance | undefined> {
  const file = await db
    .selectFrom('boleto_remittances')
    .select(['written_on', 'sha256', 'on_disk'])
    .where('account_id', '=', accountId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  if (file === undefined) return undefined
  const rows = await db
    .selectFrom('boleto_instructions')
    .select(storedInstruction.columns)
    .where('account_id', '=', accountId)
    .where('file', '=', sequence)
    .orderBy('number')
    .execute()
  return {
    sequence,
    writtenOn: file.written_on,
    instructions: instructionsOf(rows.map(storedInstruction.read)),
    sha256: file.sha256,
    isOnDisk: file.on_disk === 1,
  }
}

/** Omits instructions whose payer was erased: the digest reveals the omission. */
function instructionsOf(kept: readonly KeptInstruction[]): readonly BoletoInstruction[] {
  return kept.flatMap(({ payer, ...of }) => {
    const { amountMinor, dueDate, issuedOn, kind, name, number } = of
    if (payer === undefined) return []
    return [{ amountMinor, dueDate, issuedOn, kind, name, number, payer }]
  })
}
