import { transactionCodeSchema } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import {
  type ActionRule,
  type ConsolePages,
  Pagination,
  done,
  portAt,
  refused,
} from '@cofre/panel/page'
import { EndpointSection } from './endpoint-card.js'
import { endpointPages } from './endpoint-pages.js'
import { EventCard } from './event-card.js'
import type { EventParts } from './parts.js'
import { EVENTS_TEXTS } from './texts.js'

const SEND_AGAIN = {
  needs: 'event:send-again',
  act: 'event:send-again',
  detail: (form) => ({ endpoint: endpointOf(form.get('endpoint')) }),
} as const satisfies ActionRule

const PAGE_SIZE = 20
const ENDPOINT_LENGTH_MAX = 32

export function eventPages(pages: ConsolePages, parts: EventParts): void {
  const { page, action } = pages
  page('/events', async (visit) => {
    const { c, storeId, view } = visit
    const texts = EVENTS_TEXTS[view.language].events
    const events = portAt(parts.events, visit)
    const code = transactionCodeSchema.safeParse(c.req.query('payment'))
    const payment = code.success ? String(code.data) : undefined
    const query = { after: c.req.query('after'), limit: PAGE_SIZE, payment }
    const [endpoints, { items, next }] = await Promise.all([
      events.endpoints(storeId),
      events.list(storeId, query),
    ])
    const isOfAll = payment === undefined
    const body = (
      <>
        {isOfAll && <EndpointSection endpoints={endpoints} />}
        <h2>{isOfAll ? texts.list : fill(texts.ofPayment, { code: payment })}</h2>
        {!isOfAll && (
          <p>
            <a href={view.at('/events')}>{texts.all}</a>
          </p>
        )}
        {items.length === 0 && <p class="hint">{isOfAll ? texts.none : texts.noneOfPayment}</p>}
        {items.map((one) => (
          <EventCard {...one} endpoints={endpoints} />
        ))}
        <div class="row">
          <Pagination next={next} />
        </div>
      </>
    )
    return { body }
  })

  action('/events/:code/send', SEND_AGAIN, async (visit, form) => {
    const { c, storeId } = visit
    const { code = '' } = c.req.param()
    const endpointCode = endpointOf(form.get('endpoint'))
    const isSent = await portAt(parts.events, visit).sendAgain({ storeId, code, endpointCode })
    return isSent ? done('event-resent') : refused('gone')
  })

  endpointPages(pages, parts)
}

const endpointOf = (text = ''): string => text.slice(0, ENDPOINT_LENGTH_MAX)
