import { Notice } from '@cofre/pages'
import {
  type ActionRule,
  type ConsolePages,
  CsvLinks,
  NotificationCard,
  Pagination,
  type PanelParts,
  type PerEnvironment,
  csvResponse,
  csvTime,
  done,
  portAt,
  readSeparator,
  refused,
} from '@cofre/panel/page'
import type { Notifications } from '../model/notifications.js'
import { notificationsTable } from './notifications-csv.js'
import { NOTIFICATIONS_TEXTS } from './texts.js'

/** The ports of the pages of notifications. */
export type StoreNotifications = PerEnvironment<Pick<Notifications, 'list' | 'resend'>>

interface NotificationParts extends PanelParts {
  readonly notifications: StoreNotifications
}

const RESEND = {
  needs: 'notification:resend',
  act: 'notification:resend',
} as const satisfies ActionRule

const PAGE_SIZE = 20

export function notificationPages(
  { page, file, action }: ConsolePages,
  { notifications, ...parts }: NotificationParts,
): void {
  page('/notifications', async ({ c, environment, storeId, view }) => {
    const query = { after: c.req.query('after'), limit: PAGE_SIZE }
    const { items, next } = await portAt(notifications, { environment }).list(storeId, query)
    const body = (
      <>
        {items.length === 0 && (
          <Notice {...NOTIFICATIONS_TEXTS[view.language].notifications.empty}>
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
    const texts = NOTIFICATIONS_TEXTS[view.language].notifications
    const separator = readSeparator(c.req.query('separator'))
    const name = `${texts.fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    const table = notificationsTable(portAt(notifications, visit), storeId, view.language)
    return csvResponse(visit, parts, { name, separator, ...table })
  })

  action(
    '/payments/:code/notifications/:position/resend',
    RESEND,
    async ({ c, environment, storeId }) => {
      const { code = '', position = '' } = c.req.param()
      const isFound =
        /^[1-9]\d{0,8}$/.test(position) &&
        (await portAt(notifications, { environment }).resend(storeId, code, Number(position)))
      return isFound ? done('resent') : refused('gone')
    },
  )
}
