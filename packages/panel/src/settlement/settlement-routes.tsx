import {
  SETTLED_METHODS,
  type SettledMethod,
  type SettlementMode,
  type SettlementModes,
} from '@cofre/sandbox'
import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { backTo } from '../page/back-to.js'
import { setFlash } from '../page/flash.js'
import { PostForm } from '../page/post-form.js'
import { renderPage } from '../page/render-page.js'
import { type PanelEnv, type View, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { DEFAULT_DELAY_SECONDS, DELAY_MAX_SECONDS, readSettlement } from './settlement-form.js'
import { settlementMessages } from './settlement-messages.js'

/** How payments that wait are settled. */
export function settlementRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk } = deps
  const app = new Hono<PanelEnv>()

  app.get('/settlement', async (c) => {
    const modes = await desk.settlementModes(c.var.signedIn.storeId)
    const body = <SettlementPage view={viewOf(c)} modes={modes} />
    const { title } = settlementMessages[c.var.language]
    return renderPage(c, deps, { title, body, page: 'settlement' })
  })

  app.post('/settlement', async (c) => {
    const settlement = readSettlement(await readForm(c))
    if (settlement !== undefined) {
      const { method, mode } = settlement
      await desk.setSettlementMode(c.var.signedIn.storeId, method, mode)
    }
    setFlash(c, deps, settlement === undefined ? 'form-incomplete' : 'settlement-set')
    return backTo(c)
  })
  return app
}

function SettlementPage({ view, modes }: { readonly view: View; readonly modes: SettlementModes }) {
  const texts = settlementMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <p class="hint">{texts.byHandHint}</p>
      <div class="cards">
        {SETTLED_METHODS.map((method) => (
          <ModeForm view={view} method={method} mode={modes[method]} />
        ))}
      </div>
    </>
  )
}

interface ModeFormProps {
  readonly view: View
  readonly method: SettledMethod
  readonly mode: SettlementMode
}

function ModeForm({ view, method, mode }: ModeFormProps) {
  const texts = settlementMessages[view.language]
  const hintId = `seconds-hint-${method}`
  return (
    <section class="card">
      <h2 id={`settlement-${method}`}>{texts.methods[method]}</h2>
      <PostForm view={view} action="/settlement">
        <input type="hidden" name="method" value={method} />
        <fieldset aria-labelledby={`settlement-${method}`}>
          {Object.entries(texts.kinds).map(([kind, text]) => (
            <label class="choice">
              <input type="radio" name="kind" value={kind} checked={kind === mode.kind} />
              {text}
            </label>
          ))}
          <label>
            {texts.seconds}
            <input
              type="number"
              name="seconds"
              min="1"
              max={String(DELAY_MAX_SECONDS)}
              value={String(mode.kind === 'after' ? mode.seconds : DEFAULT_DELAY_SECONDS)}
              aria-describedby={hintId}
            />
          </label>
          <p class="hint" id={hintId}>
            {texts.secondsHint}
          </p>
        </fieldset>
        <button>
          {texts.save}
          <span class="visually-hidden">: {texts.methods[method]}</span>
        </button>
      </PostForm>
    </section>
  )
}
