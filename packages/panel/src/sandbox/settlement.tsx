import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import { SETTLED_METHODS, type SettledMethod, type SettlementMode } from '@cofre/sandbox'
import type { SandboxParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { type ConsolePages, SANDBOX_TOOL, done, refused } from '../frame/console-pages.js'
import { type Form, useView, useTexts } from '../visit/visit.js'
import { SANDBOX_TEXTS } from './texts.js'

const DELAY_MAX_SECONDS = (30 * DAY_MS) / SECOND_MS
const DEFAULT_DELAY_SECONDS = 10

/** Chooses how the sandbox settles waiting payments. */
export function settlementPages({ page, action }: ConsolePages, { sandbox }: SandboxParts): void {
  page('/settlement', async ({ storeId, view }) => {
    const modes = await sandbox.modes.modesOf(storeId)
    const body = (
      <>
        <p class="hint">{SANDBOX_TEXTS[view.language].settlement.byHandHint}</p>
        <div class="cards stack">
          {SETTLED_METHODS.map((method) => (
            <ModeForm method={method} mode={modes[method]} />
          ))}
        </div>
      </>
    )
    return { body }
  })

  action('/settlement', SANDBOX_TOOL, async ({ storeId }, form) => {
    const method = SETTLED_METHODS.find((known) => known === form.get('method'))
    const mode = readMode(form)
    if (method === undefined || mode === undefined) return refused('form-incomplete')
    await sandbox.modes.setMode(storeId, method, mode)
    return done('settlement-set')
  })
}

function readMode(form: Form): SettlementMode | undefined {
  const kind = form.get('kind')
  if (kind === 'at-once' || kind === 'by-hand') return { kind }
  const seconds = Number(form.get('seconds'))
  const isDelay = Number.isInteger(seconds) && seconds >= 1 && seconds <= DELAY_MAX_SECONDS
  return kind === 'after' && isDelay ? { kind, seconds } : undefined
}

interface ModeFormProps {
  readonly method: SettledMethod
  readonly mode: SettlementMode
}

function ModeForm({ method, mode }: ModeFormProps) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).settlement
  const hintId = `seconds-hint-${method}`
  return (
    <section class="card">
      <h2 id={`settlement-${method}`}>{texts.methods[method]}</h2>
      <PostForm action={at('/settlement')}>
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
