import { pages } from '@cofre/contracts'
import { type ErasesPayer, type GatewayTables, comparedPayer } from '@cofre/gateway/room'
import type { Connection, Database } from '@cofre/sql'
import type { RoomTables } from './link-tables.js'

/**
 * Erases the metadata of links for one payment, which may name its payer. A link that many people
 * pay keeps its own, unless it names a payer: `eraseMetadataNaming`.
 */
export const eraseLinkMetadata: ErasesPayer = async (trx, codes) => {
  const own: Connection<RoomTables> = trx
  const tries = await own
    .selectFrom('payment_link_tries')
    .select('link_id')
    .where('transaction_code', 'in', codes)
    .execute()
  if (tries.length === 0) return
  await own
    .updateTable('payment_links')
    .set({ metadata: null })
    .where('id', 'in', [...new Set(tries.map(({ link_id: id }) => id))])
    .where('usage', '=', 'once')
    .where('metadata', 'is not', null)
    .execute()
}

const ROWS_AT_ONCE = 200

/**
 * Erases the metadata of links that name a payer, paid or not. Returns the number of links.
 * @param payer - CPF, CNPJ or e-mail, in any case and punctuation.
 */
export async function eraseMetadataNaming(
  database: Database<GatewayTables>,
  payer: string,
): Promise<number> {
  const own: Database<RoomTables> = database
  const links = pages(async (after: string | undefined) => {
    const items = await own.reader
      .selectFrom('payment_links')
      .select(['id', 'metadata'])
      .where('id', '>', after ?? '')
      .where('metadata', 'is not', null)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    return { items, next: items.length < ROWS_AT_ONCE ? undefined : items.at(-1)?.id }
  })
  let erased = 0
  for await (const { id, metadata } of links) {
    if (metadata === null || !namesPayer(metadata, payer)) continue
    await own.transact((trx) =>
      trx.updateTable('payment_links').set({ metadata: null }).where('id', '=', id).execute(),
    )
    erased += 1
  }
  return erased
}

/** True if a text has the whole e-mail or document, and not only as a part of another one. */
function namesPayer(text: string, payer: string): boolean {
  const name = comparedPayer(payer)
  if (name === '') return false
  const isEmail = name.includes('@')
  // In a text, the punctuation of a document also separates nothing.
  const compared = isEmail ? text.toLowerCase() : text.replaceAll(/[./-]/g, '').toUpperCase()
  const marks = isEmail ? '+._-' : ''
  const continues = (char = ''): boolean =>
    isLetterOrDigit(char) || (char !== '' && marks.includes(char))
  for (let at = compared.indexOf(name); at !== -1; at = compared.indexOf(name, at + 1)) {
    const [end, following] = [compared[at + name.length], compared[at + name.length + 1]]
    // A full stop ends a sentence, if nothing follows.
    const isOver = end === '.' ? !isLetterOrDigit(following) : !continues(end)
    if (isOver && !continues(compared[at - 1])) return true
  }
  return false
}

function isLetterOrDigit(char = ''): boolean {
  return char.toLowerCase() !== char.toUpperCase() || (char >= '0' && char <= '9')
}
