import { fill } from '@cofre/pages'
import {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  refused,
  type Form,
  portAt,
  type Visit,
} from '@cofre/panel/page'
import { DOCUMENT_LENGTH_MAX, PROOF_LENGTH_MAX } from './payer-search-form.js'
import { FoundPayments } from './payment-list.js'
import type { SearchParts } from './parts.js'
import { PAYMENT_LIST_TEXTS } from './texts.js'

const SEARCH = { needs: 'payments:read', act: 'payer:search' } as const satisfies ActionRule

/** Finds a payer's payments by document and a second proof of the same payer. */
export function payerSearchPages({ action }: ConsolePages, parts: SearchParts): void {
  action('/payments/of-payer', SEARCH, (visit, form) => search(parts, visit, form))
}

/** Gives the same answer for a wrong document, a wrong proof and the day's five misses. */
async function search(parts: SearchParts, visit: Visit, form: Form): Promise<ActionResult> {
  const { people, payments } = parts
  const { access, storeId, view } = visit
  const document = (form.get('document') ?? '').slice(0, DOCUMENT_LENGTH_MAX)
  const proof = (form.get('proof') ?? '').slice(0, PROOF_LENGTH_MAX)
  const to = view.at('/payments')
  if (people === undefined || access.kind !== 'person') return refused('gone')
  const bare = document.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
  const { isAllowed, digest } = await people.documentSearches.begin(access.personId, bare)
  const found = await portAt(payments, visit).findOfPayer(storeId, { document: bare, proof })
  const detail = { document: digest }
  if (!isAllowed || found === undefined) return refused('payer-not-found', { to, detail })
  await people.documentSearches.found(access.personId)
  const { title, heading } = PAYMENT_LIST_TEXTS[view.language].payerSearch
  const page = { next: undefined, searchedToMs: undefined, isCutShort: false, isCardNumber: false }
  const body = (
    <div class="payments stack">
      <h1>{fill(heading, { count: found.length })}</h1>
      <FoundPayments items={found} {...page} />
    </div>
  )
  return { once: { title, heading: <></>, body }, detail }
}
