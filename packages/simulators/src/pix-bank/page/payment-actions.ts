import type { Context, Hono } from 'hono'
import { amountIn } from '../../page/amount.js'
import type { PageEnv } from '../../page/pages.js'
import type { Controls } from '../controls.js'

/** What a person does to payments by Pix and their refunds, at any bank that has them. */
export function addPaymentActions(
  app: Hono<PageEnv>,
  controls: Controls,
  done: (c: Context<PageEnv>) => Response,
): void {
  app.post('/payments/:id/take-back', (c) => {
    const refund = { amountMinor: amountIn(c.var.fields), nature: 'MED_FRAUDE' } as const
    controls.refundAtBank(c.req.param('id'), refund)
    return done(c)
  })
  app.post('/payments/:id/refunds/:refund/:end{settle|refuse}', (c) => {
    const { id, refund, end } = c.req.param()
    controls.endRefund(id, refund, end === 'settle' ? 'DEVOLVIDO' : 'NAO_REALIZADO')
    return done(c)
  })
}
