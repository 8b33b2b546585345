import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { backTo } from '../page/back-to.js'
import { type Flash, setFlash } from '../page/flash.js'
import type { PanelEnv } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'

const OUTCOMES = ['PROCESSED', 'REJECTED'] as const
type Outcome = (typeof OUTCOMES)[number]

/** Ends refunds that wait for somebody to decide. */
export function refundRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.post('/refunds/:id', async (c) => {
    const chosen = (await readForm(c)).get('status')
    const outcome = OUTCOMES.find((known) => known === chosen)
    setFlash(c, deps, outcome === undefined ? 'form-incomplete' : await finish(outcome))
    return backTo(c)

    async function finish(to: Outcome): Promise<Flash> {
      const change = await deps.desk.finishRefund(c.var.signedIn.storeId, c.req.param('id'), to)
      switch (change) {
        case 'changed':
          return to === 'PROCESSED' ? 'refund-processed' : 'refund-rejected'
        case 'not-allowed':
          return 'refund-done-before'
        case 'not-found':
          return 'gone'
      }
    }
  })
  return app
}
