import type { PaymentLinks } from '../model/payment-links.js'
import { linkPath, type LinkState, type ListedLink } from '../model/payment-link.js'
import { type ActorNames, creatorText, chargeOf, methodNames } from './link-parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import { type Separator, type Visit, csvAmount, csvTime } from '@cofre/panel/page'

interface LinksTable {
  readonly visit: Visit
  readonly state: LinkState | undefined
  readonly separator: Separator
  readonly names: ActorNames
}

/** All links of a store as a table, newest first. */
export function linksTable(links: PaymentLinks, wanted: LinksTable) {
  const { visit } = wanted
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
    columns.charge,
  ]
  return { heads, rows: rowsOf(links, wanted) }
}

async function* rowsOf(links: PaymentLinks, wanted: LinksTable) {
  const { state, visit } = wanted
  const all = links.all(visit.storeId, { states: state && [state] })
  for await (const item of all) yield csvRow(item, wanted)
}

function csvRow(
  { link, state, tries, paid }: ListedLink,
  { names, separator, visit: { gateway, view } }: LinksTable,
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
    creatorText(link.createdBy, names, view),
    csvTime(link.expiresAtMs),
    `${gateway.apiUrl}${linkPath(link.id)}`,
    texts.charges[chargeOf(link)],
  ]
}
