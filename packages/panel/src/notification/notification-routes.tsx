import { Hono } from 'hono'
import { backTo } from '../page/back-to.js'
import { setFlash } from '../page/flash.js'
import { Notice } from '../page/notice.js'
import { Pagination, readPage } from '../page/pagination.js'
import { renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { NotificationCard } from './notification-card.js'
import { notificationMessages } from './notification-messages.js'

export function notificationRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk } = deps
  const app = new Hono<PanelEnv>()

  app.get('/notifications', async (c) => {
    const page = readPage(c.req.query('page'))
    const notifications = await desk.listNotifications(c.var.signedIn.storeId, page)
    const view = viewOf(c)
    const { title, intro, empty } = notificationMessages[view.language]
    const body = (
      <>
        <h1>{title}</h1>
        <p class="intro">{intro}</p>
        {notifications.found === 0 && <Notice {...empty} />}
        {notifications.items.map((notification) => (
          <NotificationCard view={view} notification={notification} headingLevel="h2" />
        ))}
        <Pagination view={view} of={notifications} />
      </>
    )
    return renderPage(c, deps, { title, body, page: 'notifications' })
  })

  app.post('/transactions/:code/notifications/:position/resend', async (c) => {
    const { code, position } = c.req.param()
    const isThere =
      /^[1-9]\d{0,8}$/.test(position) &&
      (await desk.resendNotification(c.var.signedIn.storeId, code, Number(position)))
    setFlash(c, deps, isThere ? 'resent' : 'gone')
    return backTo(c)
  })
  return app
}
