import { pages } from '@cofre/contracts'
import type { NotificationDetails } from '@cofre/gateway/room'
import type { Language } from '@cofre/pages'
import { NOTIFICATION_TEXTS, csvTime } from '@cofre/panel/page'
import type { Notifications } from '../model/notifications.js'
import { NOTIFICATIONS_TEXTS } from './texts.js'

/** The page size of a read. */
const PAGE_SIZE = 500

/** All notifications of a store as a table, newest first. */
export function notificationsTable(
  notifications: Pick<Notifications, 'list'>,
  storeId: string,
  language: Language,
) {
  const { notification: texts } = NOTIFICATION_TEXTS[language]
  const { notifications: own } = NOTIFICATIONS_TEXTS[language]
  const heads = [
    texts.transaction,
    own.position,
    texts.status,
    own.refundId,
    texts.to,
    own.created,
    own.state,
    own.attemptCount,
    own.lastAnswer,
    texts.nextAttempt,
  ]
  return { heads, rows: rowsOf(notifications, storeId, texts.states) }
}

type StateTexts = (typeof NOTIFICATION_TEXTS)['en']['notification']['states']

async function* rowsOf(
  notifications: Pick<Notifications, 'list'>,
  storeId: string,
  states: StateTexts,
) {
  const all = pages((after: string | undefined) =>
    notifications.list(storeId, { after, limit: PAGE_SIZE }),
  )
  for await (const details of all) yield csvRow(details, states)
}

function csvRow(
  { notification, state, attempts, nextAttemptAtMs }: NotificationDetails,
  states: StateTexts,
): readonly string[] {
  const last = attempts.at(-1)
  return [
    String(notification.transactionCode),
    String(notification.position),
    notification.status,
    notification.refundId === undefined ? '' : String(notification.refundId),
    notification.url,
    csvTime(notification.createdAtMs),
    states[state],
    String(attempts.length),
    last === undefined ? '' : String(last.statusCode ?? last.error ?? ''),
    csvTime(nextAttemptAtMs),
  ]
}
