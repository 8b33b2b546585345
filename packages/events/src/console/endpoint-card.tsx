import { fill } from '@cofre/pages'
import { Facts, Time, formatTime, useTexts, useView } from '@cofre/panel/page'
import type { EndpointRefusal } from '../model/endpoint.js'
import type { ShownEndpoint } from '../model/shown-events.js'
import { EVENTS_TEXTS } from './texts.js'

/** The endpoints of a store. */
export function EndpointSection({ endpoints }: { readonly endpoints: readonly ShownEndpoint[] }) {
  const { at, may } = useView()
  const texts = useTexts(EVENTS_TEXTS).endpoints
  return (
    <section>
      <h2>{texts.title}</h2>
      {endpoints.length === 0 && <p class="hint">{texts.none}</p>}
      {endpoints.map((one) => (
        <EndpointCard {...one} />
      ))}
      {may('event-endpoints:write') && (
        <p>
          <a class="button quiet" href={at('/events/endpoints/new')}>
            {texts.add}
          </a>
        </p>
      )}
    </section>
  )
}

function EndpointCard(endpoint: ShownEndpoint) {
  const { at, language, may } = useView()
  const texts = useTexts(EVENTS_TEXTS).endpoints
  const { code, url, deliveredAtMs, lastRefusal, previousUntilMs, types, waiting } = endpoint
  return (
    <article class="card" aria-label={url}>
      <header class="actions">
        <h3>
          <code>{url}</code>
        </h3>
        <StateBadge {...endpoint} />
        {may('event-endpoints:write') && (
          <a class="button quiet small end" href={at(`/events/endpoints/${code}`)}>
            {texts.change}
            <span class="visually-hidden">: {url}</span>
          </a>
        )}
      </header>
      <Facts
        facts={[
          [texts.code, <code>{code}</code>],
          [texts.types, types === undefined ? texts.allTypes : types.join(', ')],
          [texts.waiting, waiting],
          [
            texts.delivered,
            deliveredAtMs === undefined ? texts.never : <Time ms={deliveredAtMs} />,
          ],
          [texts.refused, lastRefusal !== undefined && <Refusal {...lastRefusal} />],
          [
            texts.previousSecret,
            previousUntilMs !== undefined &&
              fill(texts.until, { at: formatTime(previousUntilMs, language) }),
          ],
        ]}
      />
    </article>
  )
}

function StateBadge({ enabled, failingSinceMs }: ShownEndpoint) {
  const { language } = useView()
  const texts = useTexts(EVENTS_TEXTS).endpoints
  if (!enabled) return <span class="badge quiet">{texts.off}</span>
  if (failingSinceMs === undefined) return <span class="badge good">{texts.on}</span>
  return (
    <span class="badge bad">
      {fill(texts.failing, { since: formatTime(failingSinceMs, language) })}
    </span>
  )
}

function Refusal({ atMs, statusCode, error }: EndpointRefusal) {
  return (
    <>
      <Time ms={atMs} />: <code>{error ?? statusCode}</code>
    </>
  )
}
