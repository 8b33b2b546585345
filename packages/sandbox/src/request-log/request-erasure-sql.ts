import { pages } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { RequestRow, SandboxTables } from '../database/sandbox-tables.js'

/** A payer, as in `cofre payer erase`, and the orders from which the payer was erased. */
export interface ErasedPayer {
  /** CPF, CNPJ or e-mail. */
  readonly payer: string
  readonly codes: readonly string[]
}

const ROWS_AT_ONCE = 200
/** Before every row. */
const FIRST = { store_id: '', id: 0 }

/**
 * Deletes the log's requests that contain a payer: those of erased orders, and those that name the
 * payer, even if refused. Returns the number.
 */
export async function eraseRequestsOf(
  database: Database<SandboxTables>,
  { payer, codes }: ErasedPayer,
): Promise<number> {
  const names = namesOf(payer)
  let erased = 0
  const rows = pages(async (after: Pick<RequestRow, 'store_id' | 'id'> = FIRST) => {
    const items = await database.reader
      .selectFrom('requests')
      .select(['store_id', 'id', 'target', 'transaction_code', 'request_body', 'response_body'])
      .where((row) =>
        row.or([
          row('store_id', '>', after.store_id),
          row.and([row('store_id', '=', after.store_id), row('id', '>', after.id)]),
        ]),
      )
      .orderBy('store_id')
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    return { items, next: items.length < ROWS_AT_ONCE ? undefined : items.at(-1) }
  })
  for await (const row of rows) {
    const { store_id, id, target, transaction_code, request_body, response_body } = row
    const text = `${decoded(target)} ${request_body ?? ''} ${response_body}`.toLowerCase()
    const isOf = codes.includes(transaction_code ?? '') || names.some((name) => text.includes(name))
    if (!isOf) continue
    await database.transact((trx) =>
      trx.deleteFrom('requests').where('store_id', '=', store_id).where('id', '=', id).execute(),
    )
    erased += 1
  }
  return erased
}

/** A document may appear with or without its punctuation. */
function namesOf(payer: string): readonly string[] {
  if (payer.includes('@')) return [payer.trim().toLowerCase()]
  const bare = payer.replaceAll(/[^\dA-Za-z]/g, '').toLowerCase()
  const written = bare
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')
  return [bare, written]
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
