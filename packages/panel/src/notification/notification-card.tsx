import type { AttemptReport, NotificationReport } from '@cofre/sandbox'
import { formatCount } from '../language/format.js'
import { MessageBody } from '../page/message-body.js'
import { PostForm } from '../page/post-form.js'
import { Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { StatusBadge } from '../transaction/status-badge.js'
import { notificationMessages } from './notification-messages.js'

interface NotificationProps {
  readonly view: View
  readonly notification: NotificationReport
  readonly headingLevel: 'h2' | 'h3'
}

/** One notification with what was sent, every attempt, and a button that sends it again. */
export function NotificationCard({ view, notification, headingLevel: Heading }: NotificationProps) {
  const texts = notificationMessages[view.language]
  const { transactionCode, position, kind, status, state } = notification
  const name = texts.name(position, transactionCode)
  return (
    <article class="card notification" aria-label={name}>
      <header>
        <Heading>
          {texts.kinds[kind]} <StatusBadge status={status} />
        </Heading>
        <span class={`state ${state === 'done' ? 'good' : 'waiting'}`}>{texts.states[state]}</span>
        <PostForm
          view={view}
          action={`/transactions/${transactionCode}/notifications/${position}/resend`}
        >
          <button class="quiet">
            {texts.resend}
            <span class="visually-hidden">: {name}</span>
          </button>
        </PostForm>
      </header>
      <Facts view={view} notification={notification} />
      <Attempts view={view} notification={notification} />
    </article>
  )
}

type PartProps = Omit<NotificationProps, 'headingLevel'>

function Facts({ view, notification }: PartProps) {
  const texts = notificationMessages[view.language]
  const { transactionCode, url, createdAtMs, nextAttemptAtMs } = notification
  return (
    <dl class="facts">
      <Fact term={texts.transaction}>
        <a href={`/transactions/${transactionCode}`}>
          <code>{transactionCode}</code>
        </a>
      </Fact>
      <Fact term={texts.to}>
        <code>{url}</code>
      </Fact>
      <Fact term={texts.created}>
        <Time view={view} ms={createdAtMs} />
      </Fact>
      {nextAttemptAtMs !== undefined && (
        <Fact term={texts.nextAttempt}>
          <Time view={view} ms={nextAttemptAtMs} /> <a href="/clock">{texts.passTime}</a>
        </Fact>
      )}
    </dl>
  )
}

function Attempts({ view, notification }: PartProps) {
  const texts = notificationMessages[view.language]
  const { attempts, request, state, transactionCode, position } = notification
  if (attempts.length === 0) return state === 'held' ? null : <p class="hint">{texts.noAttempts}</p>
  return (
    <details data-keep={`notification-${transactionCode}-${position}`}>
      <summary>
        {texts.attempts(attempts.length)} <LastAttempt view={view} attempts={attempts} />
      </summary>
      <MessageBody
        view={view}
        label={`${texts.request} (${request.contentType})`}
        text={request.body}
      />
      <ol class="attempts">
        {attempts.map((attempt, index) => (
          <li>
            <p>
              <strong>{texts.attempt(index + 1)}</strong> <Outcome view={view} attempt={attempt} />{' '}
              <Time view={view} ms={attempt.atMs} />{' '}
              <span class="minor">
                {texts.duration(formatCount(attempt.durationMs, view.language))}
              </span>
            </p>
            {attempt.error !== undefined && (
              <p>
                {texts.error}: <code>{attempt.error}</code>
              </p>
            )}
            {attempt.statusCode !== undefined && (
              <MessageBody view={view} label={texts.response} text={attempt.responseExcerpt} />
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

interface AttemptProps {
  readonly view: View
  readonly attempt: AttemptReport
}

function LastAttempt({
  view,
  attempts,
}: {
  readonly view: View
  readonly attempts: readonly AttemptReport[]
}) {
  const last = attempts.at(-1)
  return last === undefined ? null : <Outcome view={view} attempt={last} />
}

function Outcome({ view, attempt: { statusCode } }: AttemptProps) {
  const texts = notificationMessages[view.language]
  const tone = statusCode === 200 ? 'good' : 'bad'
  return (
    <span class={`state ${tone}`}>
      {statusCode === undefined ? texts.noAnswer : texts.status(statusCode)}
    </span>
  )
}
