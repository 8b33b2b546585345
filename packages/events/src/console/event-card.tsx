import { fill } from '@cofre/pages'
import {
  MessageBody,
  PostForm,
  Select,
  Time,
  formatMinute,
  useTexts,
  useView,
} from '@cofre/panel/page'
import type { EventDelivery, EventWithDeliveries } from '../model/delivery.js'
import { eventCode } from '../model/event.js'
import type { ShownEndpoint } from '../model/shown-events.js'
import { EVENTS_TEXTS } from './texts.js'

interface EventCardProps extends EventWithDeliveries {
  /** All of the store. */
  readonly endpoints: readonly ShownEndpoint[]
}

/** An event with its data, its deliveries, and buttons that send it again. */
export function EventCard({ event, deliveries, endpoints }: EventCardProps) {
  const { at, may } = useView()
  const texts = useTexts(EVENTS_TEXTS).events
  const code = eventCode(event)
  const isOfPayment = event.type !== 'saved-card.deleted'
  const others = endpoints.filter((one) =>
    deliveries.every(({ endpoint }) => endpoint.code !== one.code),
  )
  return (
    <article class="card" aria-label={fill(texts.name, { type: event.type, code })}>
      <header class="actions">
        <h3>
          <code>{event.type}</code>
        </h3>
        {isOfPayment && (
          <a href={at(`/payments/${event.subject}`)}>
            <span class="visually-hidden">{texts.payment} </span>
            <code>{event.subject}</code>
          </a>
        )}
        <Time ms={event.createdAtMs} class="minor end" />
      </header>
      {deliveries.length === 0 && <p class="hint">{texts.noDeliveries}</p>}
      <ul>
        {deliveries.map((one) => (
          <DeliveryItem delivery={one} code={code} />
        ))}
      </ul>
      {may('event:send-again') && others.length > 0 && (
        <PostForm action={at(`/events/${code}/send`)} class="actions">
          <Select
            name="endpoint"
            label={texts.other}
            options={Object.fromEntries(others.map((one) => [one.code, one.url]))}
          />
          <button class="quiet small">
            {texts.send}
            <span class="visually-hidden">: {code}</span>
          </button>
        </PostForm>
      )}
      <details data-keep={`event-${code}`}>
        <summary>{texts.data}</summary>
        <MessageBody label={code} text={event.data} />
      </details>
    </article>
  )
}

const BADGES = { delivered: 'good', held: 'bad', waiting: 'waiting' } as const

interface DeliveryItemProps {
  readonly delivery: EventDelivery
  readonly code: string
}

function DeliveryItem({ delivery, code }: DeliveryItemProps) {
  const { at, language, may } = useView()
  const texts = useTexts(EVENTS_TEXTS).events
  const { endpoint, state, attempts, attemptedAtMs, nextAttemptAtMs, statusCode, error } = delivery
  return (
    <li class="part actions">
      <code class="minor">{endpoint.url}</code>
      <span class={`badge ${BADGES[state]}`}>{texts.states[state]}</span>
      {attemptedAtMs !== undefined && (
        <span class="minor">
          {fill(texts.attempted, {
            count: attempts,
            at: formatMinute(attemptedAtMs, language),
            answer: error ?? statusCode ?? '',
          })}
        </span>
      )}
      {nextAttemptAtMs !== undefined && (
        <span class="minor">
          {fill(texts.next, { at: formatMinute(nextAttemptAtMs, language) })}
        </span>
      )}
      {state === 'waiting' && nextAttemptAtMs === undefined && (
        <span class="minor">{texts.behind}</span>
      )}
      {may('event:send-again') && (
        <PostForm action={at(`/events/${code}/send`)}>
          <input type="hidden" name="endpoint" value={endpoint.code} />
          <button class="quiet small">
            {texts.again}
            <span class="visually-hidden">
              : {code}, {endpoint.url}
            </span>
          </button>
        </PostForm>
      )}
    </li>
  )
}
