import { Hono } from 'hono'
import { readPage } from '../page/pagination.js'
import { renderNotice, renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { requestMessages } from './request-messages.js'
import { RequestListPage, RequestPage } from './request-page.js'

export function requestRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk } = deps
  const app = new Hono<PanelEnv>()

  app.get('/requests', async (c) => {
    const failedOnly = c.req.query('failed') === '1'
    const filter = { failedOnly, page: readPage(c.req.query('page')) }
    const requests = await desk.listRequests(c.var.signedIn.storeId, filter)
    const { title } = requestMessages[c.var.language]
    const body = <RequestListPage view={viewOf(c)} requests={requests} failedOnly={failedOnly} />
    return renderPage(c, deps, { title, body, page: 'requests' })
  })

  app.get('/requests/:id{[0-9]{1,16}}', async (c) => {
    const id = Number(c.req.param('id'))
    const request = await desk.findRequest(c.var.signedIn.storeId, id)
    if (request === undefined) return renderNotice(c, deps, { name: 'notFound', status: 404 })
    const title = requestMessages[c.var.language].one(id)
    const body = <RequestPage view={viewOf(c)} request={request} />
    return renderPage(c, deps, { title, body, page: 'requests' })
  })
  return app
}
