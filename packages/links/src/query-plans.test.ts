import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { withOperator } from '../../operator/src/operator.fixture.js'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import { archiveAll } from '../../gateway/src/ledger/archive/archive.fixture.js'
import { notifyOfPauses } from './card-pauses.js'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { ALL_LINKS } from './model/card-pause.js'
import { pollLinkTries } from './open-tries.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'

/** Tables that grow with every payment. */
const GROWING = {
  tables: [
    'transactions',
    'transaction_keys',
    'card_declines',
    'bank_charges',
    'payment_links',
    'payment_link_tries',
    'archived_transactions',
  ],
  storeColumn: 'merchant_id',
}

/** Other indexes lead to all tries of a link, or to all with an address. */
const STOOD_IN_FOR = [
  'payment_link_tries_of_address',
  'payment_link_tries_forgotten',
  'payment_link_tries_by_card',
  'payment_link_tries_of_link_by_card',
]

/** Tries a link by each method, lists it, revokes it, and erases its addresses. */
async function payByLink(test: LinkGateway): Promise<void> {
  const { code } = await makeLink(test, linkRequest('link-1'))
  const { paymentLinks, paymentPage } = test.room
  for (const method of ['boleto', 'credit-card', 'pix'])
    await paymentPage.pay(code, orderOf(method))
  await paymentPage.find(code)
  const { tries } = (await paymentLinks.find(MERCHANT.id, code))!
  const end = `${NOW_MS + DAY_MS}-${code}`
  for (const which of [{}, { after: end }, { after: end, states: ['payable'] }] as const)
    await paymentLinks.list(MERCHANT.id, { limit: 20, ...which })
  for (const { linkTry } of tries) {
    await paymentPage.findTry(code, linkTry.id)
    await paymentLinks.ofPayment(MERCHANT.id, String(linkTry.transactionCode))
  }
  for (const query of ['', '?reference=link-1', '?status=PAID', '?status=PAYABLE'])
    expect((await test.send('GET', `/payment-links${query}`)).status).toBe(200)
  await paymentLinks.revoke(MERCHANT.id, code, 'person:ana')
  await pollLinkTries(test.linkParts)
  await test.linkParts.tryAddresses.forget(NOW_MS + HOUR_MS)
  await pauseCards(test, code)
}

/** Pauses a link's cards, and those of all links of its store. */
async function pauseCards({ linkParts, room }: LinkGateway, code: string): Promise<void> {
  const { cardCounts, cardPauses, reports } = linkParts
  for (const linkId of [code, ALL_LINKS]) {
    const subject = { storeId: MERCHANT.id, linkId }
    const counted = { ...subject, sinceMs: NOW_MS - HOUR_MS }
    expect(await cardCounts.countDeclines(counted)).toBe(0)
    await cardCounts.hasApprovals(counted, 10)
    const times = { beganAtMs: NOW_MS, endsAtMs: NOW_MS + HOUR_MS }
    expect(await cardPauses.begin({ ...subject, declines: 20, ...times }, NOW_MS)).toBe(true)
    await cardPauses.ofLink(subject)
    await cardPauses.lift(subject, NOW_MS + 1)
  }
  const payer = { document: '52998224725', email: 'maria@example.com' }
  await cardCounts.hasPaid({ storeId: MERCHANT.id, ...payer, paidBeforeMs: NOW_MS })
  await room.paymentLinks.pauses(MERCHANT.id)
  await notifyOfPauses({ ...linkParts, reports: { ...reports, notify: () => Promise.resolve() } })
}

it.each(TEST_ENGINES)(
  'queries on $name cost the same however many links there are, and need each index',
  async (engine) => {
    const test = await openLinks(engine)
    onTestFinished(() => test.close())
    // Creates the archive's year, because a table without partitions is not read.
    await archiveAll(test.database)
    const queries = recordQueries()
    onTestFinished(queries.stop)
    await payByLink(test)
    await withOperator(test).gateway.backOffice.revision(MERCHANT.id)
    expect(queries.texts.size).toBeGreaterThan(30)
    const scanning = await queriesThatScan(test.database, queries.texts, GROWING)
    expect(scanning).toEqual([])
    const notNeeded = await indexesNotNeeded(test.database, queries.texts, GROWING)
    const own = notNeeded.filter((index) => index.startsWith('payment_link'))
    expect(own.filter((index) => !STOOD_IN_FOR.includes(index))).toEqual([])
  },
)
