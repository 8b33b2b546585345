import { pages } from '@cofre/contracts'
import { csvTime } from '../export/csv-format.js'
import type { NotificationDesk, NotificationDetails } from '../model/console-desk.js'
import type { NOTIFICATION_TEXTS } from './texts.js'

/** Read at once. */
const PAGE_SIZE = 500

/** All notifications of a store as a table, newest first. */
export function notificationsTable(
  backOffice: Pick<NotificationDesk, 'listNotifications'>,
  storeId: string,
  texts: (typeof NOTIFICATION_TEXTS)['en']['notifications'],
) {
  const heads = [
    texts.transaction,
    texts.position,
    texts.status,
    texts.refundId,
    texts.to,
    texts.created,
    texts.state,
    texts.attemptCount,
    texts.lastAnswer,
    texts.nextAttempt,
  ]
  return { heads, rows: rowsOf(backOffice, storeId, texts) }
}

async function* rowsOf(
  backOffice: Pick<NotificationDesk, 'listNotifications'>,
  storeId: string,
  texts: (typeof NOTIFICATION_TEXTS)['en']['notifications'],
) {
  const all = pages((after: string | undefined) =>
    backOffice.listNotifications(storeId, { after, limit: PAGE_SIZE }),
  )
  for await (const details of all) yield rowOf(details, texts)
}

function rowOf(
  { notification, state, attempts, nextAttemptAtMs }: NotificationDetails,
  texts: (typeof NOTIFICATION_TEXTS)['en']['notifications'],
): readonly string[] {
  const last = attempts.at(-1)
  return [
    String(notification.transactionCode),
    String(notification.position),
    notification.status,
    notification.refundId === undefined ? '' : String(notification.refundId),
    notification.url,
    csvTime(notification.createdAtMs),
    texts.states[state],
    String(attempts.length),
    last === undefined ? '' : String(last.statusCode ?? last.error ?? ''),
    csvTime(nextAttemptAtMs),
  ]
}
