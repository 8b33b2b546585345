import { messageOf } from '@cofre/gateway/room'
import { Notice, countText, fill } from '@cofre/pages'
import { csvTime, readSeparator } from '../export/csv-format.js'
import { CsvLinks } from '../export/csv-links.js'
import { csvResponse } from '../export/csv-response.js'
import { Pagination } from '../frame/pagination.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { MessageBody, PostForm, Time } from '../frame/parts.js'
import { type ActionRule, type ConsolePages, done, refused } from '../frame/console-pages.js'
import { useView, useTexts } from '../frame/visit.js'
import { formatCount, formatMinute } from '../frame/format.js'
import { StatusBadge } from '../frame/status-badge.js'
import type { NotificationDetails } from '../model/console-desk.js'
import { notificationsTable } from './notifications-csv.js'
import { NOTIFICATION_TEXTS } from './texts.js'

const RESEND = {
  needs: 'notification:resend',
  act: 'notification:resend',
} as const satisfies ActionRule

const PAGE_SIZE = 20

export function notificationPages({ page, file, action }: ConsolePages, parts: PanelParts): void {
  page('/notifications', async ({ c, gateway, storeId, view }) => {
    const query = { after: c.req.query('after'), limit: PAGE_SIZE }
    const { items, next } = await gateway.backOffice.listNotifications(storeId, query)
    const body = (
      <>
        {items.length === 0 && (
          <Notice {...NOTIFICATION_TEXTS[view.language].notifications.empty}>
            <a class="button quiet" href={view.at('/payments')}>
              {view.texts.frame.toTransactions}
            </a>
          </Notice>
        )}
        {items.map((details) => (
          <NotificationCard details={details} headingLevel="h2" />
        ))}
        <div class="row">
          <Pagination next={next} />
          {items.length > 0 && <CsvLinks />}
        </div>
      </>
    )
    return { body }
  })

  file('/notifications.csv', (visit) => {
    const { c, gateway, storeId, view } = visit
    const texts = NOTIFICATION_TEXTS[view.language].notifications
    const separator = readSeparator(c.req.query('separator'))
    const name = `${texts.fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    const table = notificationsTable(gateway.backOffice, storeId, texts)
    return csvResponse(visit, parts, { name, separator, ...table })
  })

  action(
    '/payments/:code/notifications/:position/resend',
    RESEND,
    async ({ c, gateway, storeId }) => {
      const { code = '', position = '' } = c.req.param()
      const isFound =
        /^[1-9]\d{0,8}$/.test(position) &&
        (await gateway.backOffice.resendNotification(storeId, code, Number(position)))
      return isFound ? done('resent') : refused('gone')
    },
  )
}

interface NotificationCardProps {
  readonly details: NotificationDetails
  readonly headingLevel: 'h2' | 'h3'
}

/** One notification with its content, every attempt, and a button that sends it again. */
export function NotificationCard({ details, headingLevel: Heading }: NotificationCardProps) {
  const { at, language, may } = useView()
  const texts = useTexts(NOTIFICATION_TEXTS).notifications
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
  const texts = NOTIFICATION_TEXTS[view.language].notifications
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
  const texts = NOTIFICATION_TEXTS[view.language].notifications
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
  const notifications = useTexts(NOTIFICATION_TEXTS).notifications
  const { frame } = useView().texts
  return (
    <span class={`badge ${statusCode === 200 ? 'good' : 'bad'}`}>
      {statusCode === undefined
        ? notifications.noAnswer
        : fill(frame.answered, { status: statusCode })}
    </span>
  )
}
