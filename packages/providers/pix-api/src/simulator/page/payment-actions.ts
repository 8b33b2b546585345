import { MED_NATURES } from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { amountIn, type PageEnv } from '@cofre/provider-kit/simulator'
import type { Controls } from '../controls.js'

const natureSchema = z.enum(MED_NATURES).default('MED_FRAUDE')

/** A person's actions on payments by Pix and their refunds, at any bank with Pix. */
export function addPaymentActions(
  app: Hono<PageEnv>,
  controls: Controls,
  done: (c: Context<PageEnv>) => Response,
): void {
  app.post('/payments/:id/take-back', (c) => {
    const { fields } = c.var
    const nature = natureSchema.parse(fields.get('nature'))
    controls.refundAtBank(c.req.param('id'), { amountMinor: amountIn(fields), nature })
    return done(c)
  })
  app.post('/payments/:id/refunds/:refund/:end{settle|refuse}', (c) => {
    const { id, refund, end } = c.req.param()
    controls.endRefund(id, refund, end === 'settle' ? 'DEVOLVIDO' : 'NAO_REALIZADO')
    return done(c)
  })
}
