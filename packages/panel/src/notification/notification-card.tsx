import { type NotificationDetails, messageOf } from '@cofre/gateway/room'
import { countText, fill } from '@cofre/pages'
import { formatCount, formatMinute } from '../visit/format.js'
import { MessageBody, PostForm, Time } from '../part/parts.js'
import { StatusBadge } from '../part/status-badge.js'
import { useTexts, useView } from '../visit/visit.js'
import { NOTIFICATION_TEXTS } from './texts.js'

interface NotificationCardProps {
  readonly details: NotificationDetails
  readonly headingLevel: 'h2' | 'h3'
}

/** One notification with its content, its attempts, and a button that sends it again. */
export function NotificationCard({ details, headingLevel: Heading }: NotificationCardProps) {
  const { at, language, may } = useView()
  const texts = useTexts(NOTIFICATION_TEXTS).notification
  const { notification, state, nextAttemptAtMs } = details
  const { transactionCode: code, position, refundId, status, url, createdAtMs } = notification
  const name = fill(texts.name, { position, code })
  return (
    <article class="card notification" aria-label={name}>
      <header class="actions">
        <Heading>
          {refundId === undefined ? <span class="what">{texts.status}</span> : texts.refund}{' '}
          <StatusBadge status={status} />
        </Heading>
        <span class={`badge state ${state === 'done' ? 'good' : 'waiting'}`}>
          {texts.states[state]}
        </span>
        <Time ms={createdAtMs} class="minor end" />
        {may('notification:resend') && (
          <PostForm action={at(`/payments/${code}/notifications/${position}/resend`)}>
            <button class="quiet small">
              {texts.resend}
              <span class="visually-hidden">: {name}</span>
            </button>
          </PostForm>
        )}
      </header>
      <div class="actions">
        <a href={at(`/payments/${code}`)}>
          <span class="visually-hidden">{texts.transaction} </span>
          <code>{code}</code>
        </a>
        <code class="minor address" title={url}>
          <span class="visually-hidden">{texts.to} </span>
          {url}
        </code>
        {nextAttemptAtMs !== undefined && (
          <span class="minor next">
            {texts.nextAttempt}: {formatMinute(nextAttemptAtMs, language)}{' '}
            {may('sandbox:tools') && <a href={at('/clock')}>{texts.passTime}</a>}
          </span>
        )}
        <Attempts {...details} />
      </div>
    </article>
  )
}

function Attempts({ attempts, notification, state }: NotificationDetails) {
  const view = useView()
  const texts = NOTIFICATION_TEXTS[view.language].notification
  const last = attempts.at(-1)
  if (last === undefined) return state === 'held' ? null : <p class="hint">{texts.noAttempts}</p>
  const { contentType, body } = messageOf(notification, true)
  return (
    <details data-keep={`notification-${notification.transactionCode}-${notification.position}`}>
      <summary>
        {countText(texts.attempts, attempts.length, view.language)} <Result {...last} />
      </summary>
      <MessageBody label={`${texts.request} (${contentType})`} text={body} />
      <ol>
        {attempts.map((attempt, index) => (
          <AttemptItem {...attempt} number={index + 1} />
        ))}
      </ol>
    </details>
  )
}

type Attempt = NotificationDetails['attempts'][number]

function AttemptItem(attempt: Attempt & { readonly number: number }) {
  const view = useView()
  const texts = NOTIFICATION_TEXTS[view.language].notification
  const { frame } = view.texts
  const { number, atMs, durationMs, error, statusCode, responseExcerpt } = attempt
  return (
    <li class="part">
      <p>
        <strong>{fill(texts.attempt, { number })}</strong> <Result statusCode={statusCode} />{' '}
        <Time ms={atMs} />{' '}
        <span class="minor">
          {fill(frame.duration, { ms: formatCount(durationMs, view.language) })}
        </span>
      </p>
      {error !== undefined && (
        <p>
          {texts.error}: <code>{error}</code>
        </p>
      )}
      {statusCode !== undefined && <MessageBody label={texts.response} text={responseExcerpt} />}
    </li>
  )
}

function Result({ statusCode }: Pick<Attempt, 'statusCode'>) {
  const texts = useTexts(NOTIFICATION_TEXTS).notification
  const { frame } = useView().texts
  return (
    <span class={`badge ${statusCode === 200 ? 'good' : 'bad'}`}>
      {statusCode === undefined ? texts.noAnswer : fill(frame.answered, { status: statusCode })}
    </span>
  )
}
