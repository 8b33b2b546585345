import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, advanceRequestTable } from '@cofre/contracts'
import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { backTo } from '../page/back-to.js'
import { setFlash } from '../page/flash.js'
import { renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { clockMessages } from './clock-messages.js'
import { ClockPage } from './clock-page.js'

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['second', SECOND_MS],
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
])

/** Lets the sandbox's time pass. */
export function clockRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { clock } = deps.desk
  const app = new Hono<PanelEnv>()

  app.get('/clock', (c) => {
    const body = <ClockPage view={viewOf(c)} nowMs={clock.now()} aheadMs={clock.offsetMs()} />
    const { title } = clockMessages[c.var.language]
    return renderPage(c, deps, { title, body, page: 'clock' })
  })

  app.post('/clock', async (c) => {
    const durationMs = readDurationMs(await readForm(c))
    if (durationMs !== undefined) await clock.advance(durationMs)
    setFlash(c, deps, durationMs === undefined ? 'form-incomplete' : 'clock-moved')
    return backTo(c)
  })
  return app
}

/** By the rules of the API's own control of the clock. */
function readDurationMs(form: ReadonlyMap<string, string>): number | undefined {
  const amount = form.get('amount') ?? ''
  const unitMs = UNITS_MS.get(form.get('unit') ?? '') ?? Number.NaN
  const seconds = /^\d{1,9}$/.test(amount) ? (Number(amount) * unitMs) / SECOND_MS : undefined
  const request = advanceRequestTable.validate({ seconds }, undefined)
  return request.ok ? request.value.seconds * SECOND_MS : undefined
}
