import { type NotificationDetails, messageOf } from '@cofre/gateway'
import { Notice, fill } from '@cofre/pages'
import { Pagination, readPage } from '../frame/pagination.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { Facts, MessageBody, PostForm, Time } from '../frame/parts.js'
import type { StorePages } from '../frame/store-pages.js'
import type { View } from '../frame/visit.js'
import { formatCount } from '../text/format.js'
import { countText } from '../text/texts.js'
import { StatusBadge } from './status-badge.js'

export function notificationPages({ page, action }: StorePages, parts: PanelParts): void {
  const { backOffice } = parts

  page('/notifications', 'notifications', async ({ c, storeId, view }) => {
    const query = readPage(c.req.query('page'))
    const { items, found } = await backOffice.listNotifications(storeId, query)
    const body = (
      <>
        {found === 0 && <Notice {...view.texts.notifications.empty} />}
        {items.map((details) => (
          <NotificationCard view={view} details={details} headingLevel="h2" />
        ))}
        <Pagination view={view} found={found} />
      </>
    )
    return { body }
  })

  action('/transactions/:code/notifications/:position/resend', async ({ c, storeId }) => {
    const { code = '', position = '' } = c.req.param()
    const isFound =
      /^[1-9]\d{0,8}$/.test(position) &&
      (await backOffice.resendNotification(storeId, code, Number(position)))
    return isFound ? 'resent' : 'gone'
  })
}

interface NotificationProps {
  readonly view: View
  readonly details: NotificationDetails
}

interface NotificationCardProps extends NotificationProps {
  readonly headingLevel: 'h2' | 'h3'
}

/** One notification with its content, every attempt, and a button that sends it again. */
export function NotificationCard(props: NotificationCardProps) {
  const { view, details, headingLevel: Heading } = props
  const texts = view.texts.notifications
  const { notification, state, nextAttemptAtMs } = details
  const { transactionCode: code, position, refundId, status, url, createdAtMs } = notification
  const name = fill(texts.name, { position, code })
  return (
    <article class="card" aria-label={name}>
      <header class="actions">
        <Heading>
          {refundId === undefined ? texts.status : texts.refund} <StatusBadge status={status} />
        </Heading>
        <span class={`badge state ${state === 'done' ? 'good' : 'waiting'}`}>
          {texts.states[state]}
        </span>
        <PostForm view={view} action={`/transactions/${code}/notifications/${position}/resend`}>
          <button class="quiet small">
            {texts.resend}
            <span class="visually-hidden">: {name}</span>
          </button>
        </PostForm>
      </header>
      <Facts
        facts={[
          [
            texts.transaction,
            <a href={`/transactions/${code}`}>
              <code>{code}</code>
            </a>,
          ],
          [texts.to, <code>{url}</code>],
          [texts.created, <Time view={view} ms={createdAtMs} />],
          [
            texts.nextAttempt,
            nextAttemptAtMs !== undefined && (
              <>
                <Time view={view} ms={nextAttemptAtMs} /> <a href="/clock">{texts.passTime}</a>
              </>
            ),
          ],
        ]}
      />
      <Attempts view={view} details={details} />
    </article>
  )
}

function Attempts({ view, details }: NotificationProps) {
  const texts = view.texts.notifications
  const { attempts, notification, state } = details
  const last = attempts.at(-1)
  if (last === undefined) return state === 'held' ? null : <p class="hint">{texts.noAttempts}</p>
  const { contentType, body } = messageOf(notification, true)
  return (
    <details data-keep={`notification-${notification.transactionCode}-${notification.position}`}>
      <summary>
        {countText(texts.attempts, attempts.length, view.language)}{' '}
        <Result view={view} attempt={last} />
      </summary>
      <MessageBody view={view} label={`${texts.request} (${contentType})`} text={body} />
      <ol>
        {attempts.map((attempt, index) => (
          <Attempt view={view} attempt={attempt} number={index + 1} />
        ))}
      </ol>
    </details>
  )
}

interface AttemptProps {
  readonly view: View
  readonly attempt: NotificationDetails['attempts'][number]
}

function Attempt({ view, attempt, number }: AttemptProps & { readonly number: number }) {
  const { frame, notifications: texts } = view.texts
  const { atMs, durationMs, error, statusCode, responseExcerpt } = attempt
  return (
    <li class="part">
      <p>
        <strong>{fill(texts.attempt, { number })}</strong> <Result view={view} attempt={attempt} />{' '}
        <Time view={view} ms={atMs} />{' '}
        <span class="minor">
          {fill(frame.duration, { ms: formatCount(durationMs, view.language) })}
        </span>
      </p>
      {error !== undefined && (
        <p>
          {texts.error}: <code>{error}</code>
        </p>
      )}
      {statusCode !== undefined && (
        <MessageBody view={view} label={texts.response} text={responseExcerpt} />
      )}
    </li>
  )
}

function Result({ view, attempt: { statusCode } }: AttemptProps) {
  const { frame, notifications } = view.texts
  return (
    <span class={`badge ${statusCode === 200 ? 'good' : 'bad'}`}>
      {statusCode === undefined
        ? notifications.noAnswer
        : fill(frame.answered, { status: statusCode })}
    </span>
  )
}
