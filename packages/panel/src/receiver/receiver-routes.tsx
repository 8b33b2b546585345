import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { backTo } from '../page/back-to.js'
import { setFlash } from '../page/flash.js'
import { renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { receiverMessages } from './receiver-messages.js'
import { ReceiverPage } from './receiver-page.js'

/** The page of the built-in receiver. */
export function receiverRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk, publicUrl } = deps
  const app = new Hono<PanelEnv>()

  app.get('/receiver', async (c) => {
    const inbox = await desk.inbox(c.var.signedIn.storeId)
    const body = <ReceiverPage view={viewOf(c)} inbox={inbox} url={`${publicUrl}${inbox.path}`} />
    const { title } = receiverMessages[c.var.language]
    return renderPage(c, deps, { title, body, page: 'receiver' })
  })

  app.post('/receiver/answer', async (c) => {
    const status = (await readForm(c)).get('status') ?? ''
    const isOffered = Object.hasOwn(receiverMessages[c.var.language].answers, status)
    if (isOffered) await desk.setInboxAnswer(c.var.signedIn.storeId, Number(status))
    setFlash(c, deps, isOffered ? 'answer-set' : 'form-incomplete')
    return backTo(c)
  })

  app.post('/receiver/empty', async (c) => {
    await desk.emptyInbox(c.var.signedIn.storeId)
    setFlash(c, deps, 'receiver-emptied')
    return backTo(c)
  })
  return app
}
