import type { Connection, Database } from '@cofre/sql'
import type { ErasesPayer, GatewayTables } from '@cofre/gateway/room'
import type { BoletoName, KeptInstruction } from '@cofre/provider-kit/bank'
import type { InstructionStore, NewInstruction, OfBoleto } from '../model/stores.js'
import { type RoomTables, storedInstruction } from './boleto-file-tables.js'

type Db = Connection<RoomTables>

/** The boleto instructions for banks that work by files. */
export function createSqlInstructionStore(database: Database<GatewayTables>): InstructionStore {
  const { reader }: Database<RoomTables> = database
  return {
    register: (order) => database.transact((trx) => register(trx, order)),
    find: (boleto) => findInstruction(reader, boleto, 'register'),
    cancel: (boleto) => database.transact((trx) => cancel(trx, boleto)),
  }
}

async function register(
  trx: Db,
  { accountId, order, issuedOn }: NewInstruction,
): Promise<KeptInstruction> {
  const { amountMinor, dueDate, name, payer } = order
  const number = await nextNumber(trx, accountId)
  // Read under the counter's lock, so that no other process registers it meanwhile.
  const before = await findInstruction(trx, { accountId, name }, 'register')
  if (before !== undefined) return before
  const instruction: KeptInstruction = {
    kind: 'register',
    number,
    name,
    amountMinor,
    dueDate,
    issuedOn,
    payer,
    withdrawn: false,
    file: undefined,
  }
  await insert(trx, accountId, instruction)
  return instruction
}

async function nextNumber(trx: Db, accountId: string): Promise<number> {
  const counter = await trx
    .insertInto('boleto_counters')
    .values({ account_id: accountId, last_number: 1, last_file: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((of) => ({ last_number: of('boleto_counters.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return counter.last_number
}

async function insert(trx: Db, accountId: string, instruction: KeptInstruction): Promise<void> {
  await trx
    .insertInto('boleto_instructions')
    .values({ account_id: accountId, ...storedInstruction.rowOf(instruction) })
    .execute()
}

async function findInstruction(
  db: Db,
  { accountId, name }: OfBoleto,
  kind: KeptInstruction['kind'],
): Promise<KeptInstruction | undefined> {
  const row = await db
    .selectFrom('boleto_instructions')
    .select(storedInstruction.columns)
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && storedInstruction.read(row)
}

async function cancel(trx: Db, boleto: OfBoleto): Promise<KeptInstruction | undefined> {
  const { accountId, name } = boleto
  await lockCounter(trx, accountId)
  const registered = await findInstruction(trx, boleto, 'register')
  if (registered === undefined) return undefined
  if (registered.file === undefined) {
    await trx
      .updateTable('boleto_instructions')
      .set({ withdrawn: 1 })
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .execute()
    return { ...registered, withdrawn: true }
  }
  if ((await findInstruction(trx, boleto, 'cancel')) === undefined)
    await insert(trx, accountId, { ...registered, kind: 'cancel', file: undefined })
  return registered
}

/** Requests and new files wait for each other: a file contains all earlier requests. */
export async function lockCounter(trx: Db, accountId: string): Promise<void> {
  await trx
    .selectFrom('boleto_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forUpdate()
    .execute()
}

/** Erases the payers of transactions from the instructions. */
export const eraseInstructedPayers: ErasesPayer = async (trx, codes) => {
  const own: Db = trx
  await own
    .updateTable('boleto_instructions')
    .set({ payer: null })
    .where('name', 'in', (of) =>
      of
        .selectFrom('charge_names')
        .select('txid')
        .where('transaction_code', 'in', codes)
        .$castTo<{ txid: BoletoName }>(),
    )
    .execute()
}
