import { type Failure, minorUnits } from '@cofre/contracts'
import type { LinkState, PaymentLink } from '../model/payment-link.js'
import type { LinkWithTries, PaymentLinks } from '../model/payment-links.js'
import type { NotifiedPause } from '../model/card-pause.js'
import { tryStateOf } from '../model/link-try.js'
import { openConsole, someOf } from '@cofre/panel/testing'
import { paymentLinksPage } from './page.js'

const STORE = 'store-1'
export const LINK_ID = 'abcdefghijklmnopqrstuv'

/** A store's links; a test may change them. */
interface HeldLinks {
  /** Newest first. */
  readonly links: LinkWithTries[]
  /** Newest first. */
  readonly pauses: NotifiedPause[]
  /** Why the next link is refused. */
  failures: readonly Failure[]
}

function noLinks(): HeldLinks {
  return { links: [], pauses: [], failures: [] }
}

/** A link of R$ 42,50 for one payment by card or PIX, with the given changes. */
export function paymentLink(overrides: Partial<PaymentLink> = {}): PaymentLink {
  return {
    id: LINK_ID,
    storeId: STORE,
    reference: 'order-7',
    amountMinor: minorUnits(4_250),
    description: 'Two cups',
    methods: ['credit-card', 'pix'],
    isCapturedLater: false,
    usage: 'once',
    installments: 12,
    language: 'pt-BR',
    successUrl: undefined,
    notificationUrl: 'https://shop.example/notifications',
    metadata: undefined,
    createdBy: 'api',
    createdAtMs: Date.parse('2026-11-21T12:00:00Z'),
    expiresAtMs: undefined,
    revokedAtMs: undefined,
    revokedBy: undefined,
    ...overrides,
  }
}

/** Links in memory. */
function fakePaymentLinks(held: {
  readonly paymentLinks: HeldLinks
  readonly writes: string[]
}): PaymentLinks {
  const { links, pauses } = held.paymentLinks
  const own = (storeId: string) => (storeId === STORE ? links : [])
  const listed = (storeId: string, states: readonly LinkState[] | undefined) =>
    own(storeId)
      .filter((one) => states === undefined || states.includes(one.state))
      .map(({ tries, ...one }) => ({
        ...one,
        tries: tries.length,
        paid: tries.filter((each) => tryStateOf(each) === 'paid').length,
      }))
  return {
    methods: () => Promise.resolve(['credit-card', 'pix', 'boleto', 'paypal']),
    create(_storeId, { body, actor }) {
      held.writes.push(`link ${JSON.stringify(body)} by ${actor}`)
      const { failures } = held.paymentLinks
      if (failures.length > 0) return Promise.resolve({ failures })
      const link = paymentLink({ createdBy: actor })
      links.unshift({ link, state: 'payable', tries: [] })
      return Promise.resolve({ link })
    },
    list: (storeId, query) => Promise.resolve(someOf(listed(storeId, query.states), query)),
    all: async function* (storeId, { states }) {
      yield* await Promise.resolve(listed(storeId, states))
    },
    find: (storeId, id) => Promise.resolve(own(storeId).find(({ link }) => link.id === id)),
    ofPayment: () => Promise.reject(new Error('the page of a payment asks for its link')),
    pauses: (storeId) => Promise.resolve(storeId === STORE ? pauses : []),
    liftPause(storeId, linkId) {
      const index = pauses.findIndex((pause) => storeId === STORE && pause.linkId === linkId)
      if (index === -1) return Promise.resolve(false)
      held.writes.push(`lift pause of ${linkId || 'all links'}`)
      pauses.splice(index, 1)
      return Promise.resolve(true)
    },
    revoke(storeId, id, actor) {
      const index = own(storeId).findIndex(({ link }) => link.id === id)
      const found = links[index]
      if (found === undefined) return Promise.resolve('not-found')
      held.writes.push(`revoke link ${id} by ${actor}`)
      links[index] = { ...found, state: 'revoked' }
      return Promise.resolve('revoked')
    },
  }
}

/** A console of both environments with the pages of links. */
export function openLinksConsole() {
  const [production, sandbox] = [hold(), hold()]
  const links = { production: fakePaymentLinks(production), sandbox: fakePaymentLinks(sandbox) }
  const lastNotificationUrl = { production: lastUrlOf(production), sandbox: lastUrlOf(sandbox) }
  const panel = openConsole({}, [paymentLinksPage({ links, lastNotificationUrl })])
  return { ...panel, heldLinks: production, heldInSandbox: sandbox }
}

interface Held {
  readonly paymentLinks: HeldLinks
  readonly writes: string[]
  /** That of the store's last payment. */
  lastNotificationUrl: string | undefined
}

const lastUrlOf = (held: Held) => () => Promise.resolve(held.lastNotificationUrl)

const hold = (): Held => ({ paymentLinks: noLinks(), writes: [], lastNotificationUrl: undefined })
