import { Hono } from 'hono'
import { Notice } from '../page/notice.js'
import { Pagination, readPage } from '../page/pagination.js'
import { renderNotice, renderPage } from '../page/render-page.js'
import { Fact, Time } from '../page/shown-value.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { Errors, RequestBodies, RequestDetails } from './request-details.js'
import { requestMessages } from './request-messages.js'

export function requestRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk } = deps
  const app = new Hono<PanelEnv>()

  app.get('/requests', async (c) => {
    const failedOnly = c.req.query('failed') === '1'
    const filter = { failedOnly, page: readPage(c.req.query('page')) }
    const requests = await desk.listRequests(c.var.signedIn.storeId, filter)
    const view = viewOf(c)
    const texts = requestMessages[view.language]
    const body = (
      <>
        <h1>{texts.title}</h1>
        <p class="intro">{texts.intro}</p>
        <nav class="tabs" aria-label={texts.which}>
          <a href="/requests" aria-current={failedOnly ? undefined : 'page'}>
            {texts.all}
          </a>
          <a href="/requests?failed=1" aria-current={failedOnly ? 'page' : undefined}>
            {texts.failedOnly}
          </a>
        </nav>
        {requests.found === 0 && <Notice {...(failedOnly ? texts.noneFailed : texts.empty)} />}
        {requests.items.map((request) => (
          <RequestDetails view={view} request={request} />
        ))}
        <Pagination view={view} of={requests} />
      </>
    )
    return renderPage(c, deps, { title: texts.title, body, page: 'requests' })
  })

  app.get('/requests/:id{[0-9]{1,15}}', async (c) => {
    const id = Number(c.req.param('id'))
    const request = await desk.findRequest(c.var.signedIn.storeId, id)
    if (request === undefined) return renderNotice(c, deps, { name: 'notFound', status: 404 })
    const view = viewOf(c)
    const texts = requestMessages[view.language]
    const { transactionCode } = request
    const body = (
      <>
        <p class="crumb">
          <a href="/requests">{texts.back}</a>
        </p>
        <h1>{texts.one(id)}</h1>
        <p class="request-line">
          <span class={`badge ${request.statusCode < 400 ? 'good' : 'bad'}`}>
            {request.statusCode}
          </span>
          <code>
            <strong>{request.method}</strong> {request.target}
          </code>
        </p>
        <dl class="facts">
          <Fact term={texts.at}>
            <Time view={view} ms={request.atMs} />
          </Fact>
          {transactionCode !== undefined && (
            <Fact term={texts.transaction}>
              <a href={`/transactions/${transactionCode}`}>{transactionCode}</a>
            </Fact>
          )}
        </dl>
        <Errors view={view} request={request} />
        <RequestBodies view={view} request={request} />
      </>
    )
    return renderPage(c, deps, { title: texts.one(id), body, page: 'requests' })
  })
  return app
}
