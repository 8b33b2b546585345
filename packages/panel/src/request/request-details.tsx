import type { RecordedRequest } from '@cofre/sandbox'
import { explanationOf } from '../error/explanation.js'
import { formatCount } from '../language/format.js'
import { MessageBody } from '../page/message-body.js'
import { Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { reportedErrors } from './reported-errors.js'
import { requestMessages } from './request-messages.js'

interface RequestProps {
  readonly view: View
  readonly request: RecordedRequest
}

/** One request: a line, its errors in words, and behind them the bodies. */
export function RequestDetails({ view, request }: RequestProps) {
  const texts = requestMessages[view.language]
  const { id } = request
  return (
    <article class="card request" aria-label={texts.one(id)}>
      <RequestLine view={view} request={request} />
      <Errors view={view} request={request} />
      <details data-keep={`request-${id}`}>
        <summary>
          {texts.received} / {texts.answered}
        </summary>
        <RequestBodies view={view} request={request} />
        <p>
          <a href={`/requests/${id}`}>{texts.link}</a>
        </p>
      </details>
    </article>
  )
}

export function RequestLine({ view, request }: RequestProps) {
  const { method, target, statusCode, durationMs, atMs } = request
  const { duration } = requestMessages[view.language]
  return (
    <p class="request-line">
      <span class={`badge ${statusCode < 400 ? 'good' : 'bad'}`}>{statusCode}</span>
      <code>
        <strong>{method}</strong> {target}
      </code>
      <Time view={view} ms={atMs} />
      <span class="minor">{duration(formatCount(durationMs, view.language))}</span>
    </p>
  )
}

export function RequestBodies({ view, request }: RequestProps) {
  const texts = requestMessages[view.language]
  return (
    <div class="bodies">
      <MessageBody view={view} label={texts.received} text={request.requestBody} />
      <MessageBody view={view} label={texts.answered} text={request.responseBody} />
    </div>
  )
}

/** What went wrong, in words: the code, its meaning and the field. */
export function Errors({ view, request }: RequestProps) {
  const texts = requestMessages[view.language]
  const errors = reportedErrors(request)
  if (errors.length === 0) return null
  return (
    <ul class="errors" aria-label={texts.errors}>
      {errors.map(({ code, description, property, constraint }) => (
        <li>
          <strong>
            <code>
              {code} {description}
            </code>
          </strong>
          <span>{explanationOf({ code, status: request.statusCode }, view.language)}</span>
          {property !== undefined && (
            <span class="minor">
              {texts.field}: <code>{property}</code>
              {constraint !== undefined && (
                <>
                  {' · '}
                  {texts.rule}: <code>{constraint}</code>
                </>
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
