import { linkPath, type LinkState, type ListedLink } from '@cofre/links'
import { csvAmount, csvTime, type Separator } from '../export/csv-format.js'
import type { Visit } from '../frame/visit.js'
import { type ActorNames, byWhom, methodNames } from './link-parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'

interface LinksTable {
  readonly state: LinkState | undefined
  readonly separator: Separator
  readonly names: ActorNames
}

/** All links of a store as a table, newest first. */
export function linksTable(visit: Visit, wanted: LinksTable) {
  const { columns } = PAYMENT_LINK_TEXTS[visit.view.language]['payment-links']
  const heads = [
    columns.reference,
    columns.description,
    columns.state,
    columns.usage,
    columns.amount,
    columns.methods,
    columns.tries,
    columns.paid,
    columns.created,
    columns.createdBy,
    columns.expires,
    columns.address,
  ]
  return { heads, rows: rowsOf(visit, wanted) }
}

async function* rowsOf(visit: Visit, wanted: LinksTable) {
  const { gateway, storeId } = visit
  const all = gateway.paymentLinks.all(storeId, { state: wanted.state })
  for await (const item of all) yield rowOf(item, visit, wanted)
}

function rowOf(
  { link, state, tries, paid }: ListedLink,
  { gateway, view }: Visit,
  { names, separator }: LinksTable,
): readonly string[] {
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links']
  return [
    link.reference,
    link.description,
    texts.states[state],
    texts.usages[link.usage],
    csvAmount(link.amountMinor, separator),
    methodNames(link.methods, view),
    String(tries),
    String(paid),
    csvTime(link.createdAtMs),
    byWhom(link.createdBy, names, view),
    csvTime(link.expiresAtMs),
    `${gateway.apiUrl}${linkPath(link.id)}`,
  ]
}
