import type { Hono } from 'hono'
import type { PaymentPageParts } from './page-parts.js'
import { renderNotice } from './frame/layout.js'
import { TryPage, TryScripts, titleOf } from './try/try-page.js'

/** Serves the page of a try. */
export function addTryRoutes(app: Hono, { gateway, options, render }: PaymentPageParts): void {
  app.get('/pay/:link/:try', async (c) => {
    const ids = c.req.param()
    const [link, shown] = await Promise.all([
      gateway.find(ids.link),
      gateway.findTry(ids.link, ids.try),
    ])
    if (link === undefined || shown === undefined) return renderNotice(c, render, 'missing')
    return render(c, link, (texts) => ({
      title: titleOf({ shown }, texts),
      body: <TryPage link={link} shown={shown} nowMs={options.now()} />,
      head: <TryScripts shown={shown} />,
    }))
  })

  app.get('/pay/:link/:try/state', async (c) => {
    const ids = c.req.param()
    const shown = await gateway.findTry(ids.link, ids.try)
    c.header('Cache-Control', 'no-store')
    return shown === undefined ? c.text('unknown', 404) : c.text(shown.state)
  })
}
