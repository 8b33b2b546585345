import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, advanceRequestTable } from '@cofre/contracts'
import { fill } from '@cofre/pages'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Facts, PostForm, Select, Time } from '../part/parts.js'
import { type ConsolePages, SANDBOX_TOOL, done, refused } from '../frame/console-pages.js'
import { useView, useTexts } from '../visit/visit.js'
import { formatCount, formatDuration } from '../visit/format.js'
import { SANDBOX_TEXTS } from './texts.js'

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['second', SECOND_MS],
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
])

/** Steps that one button takes, in milliseconds. */
const STEPS_MS = [10 * MINUTE_MS, HOUR_MS, DAY_MS, 30 * DAY_MS]

/** Advances the sandbox's clock. */
export function clockPages({ page, action }: ConsolePages, { desk, sandbox }: SandboxParts): void {
  const { clock } = sandbox

  page('/clock', async ({ c, view, storeId }) => {
    const texts = SANDBOX_TEXTS[view.language].clock
    const asked = c.req.query()
    const durationMs = readDurationMs((name) => asked[name])
    const preview =
      durationMs === undefined ? undefined : await sandbox.preview({ storeId, durationMs }, desk)
    const aheadMs = clock.offsetMs()
    const ahead = aheadMs === 0 ? texts.notAhead : formatDuration(aheadMs, view.language)
    const body = (
      <>
        {preview !== undefined && <Confirmation asked={asked} preview={preview} />}
        <section class="card">
          <Facts
            class="prominent"
            facts={[
              [texts.now, <Time ms={clock.now()} />],
              [texts.ahead, ahead],
            ]}
          />
          <p>{texts.shared}</p>
          <AdvanceForms />
        </section>
        <section class="card">
          <h2>{texts.effects}</h2>
          <ul class="bullets">
            {texts.effectList.map((effect) => (
              <li>{effect}</li>
            ))}
          </ul>
        </section>
      </>
    )
    return { body }
  })

  action('/clock', SANDBOX_TOOL, async ({ view }, form) => {
    const durationMs = readDurationMs((name) => form.get(name))
    if (durationMs === undefined || form.get('confirm') !== 'yes') return refused('form-incomplete')
    await clock.advance(durationMs)
    return done('clock-moved', { to: view.at('/clock') })
  })
}

/** Follows the rules of the API's own clock control. */
function readDurationMs(field: (name: string) => string | undefined): number | undefined {
  const amount = field('amount') ?? ''
  const unitMs = UNITS_MS.get(field('unit') ?? '') ?? Number.NaN
  const seconds = /^\d{1,9}$/.test(amount) ? (Number(amount) * unitMs) / SECOND_MS : undefined
  const request = advanceRequestTable.validate({ seconds }, undefined)
  return request.ok ? request.value.seconds * SECOND_MS : undefined
}

interface ConfirmationProps {
  /** The values that the forms below requested. */
  readonly asked: Readonly<Record<string, string>>
  readonly preview: Awaited<ReturnType<SandboxParts['sandbox']['preview']>>
}

/** Explains the effects of moving the clock, and moves it. */
function Confirmation({ asked, preview }: ConfirmationProps) {
  const { at, language } = useView()
  const texts = useTexts(SANDBOX_TEXTS).clock
  const { nowMs, thenMs } = preview
  const counts = ['expiries', 'notifications', 'reports'] as const
  return (
    <section class="card" aria-labelledby="confirm-clock">
      <h2 id="confirm-clock">
        {fill(texts.confirmTitle, { duration: formatDuration(thenMs - nowMs, language) })}
      </h2>
      <Facts
        facts={[
          [texts.now, <Time ms={nowMs} />],
          [texts.then, <Time ms={thenMs} />],
          ...counts.map((name) => [texts.due[name], formatCount(preview[name], language)] as const),
        ]}
      />
      <p>{texts.shared}</p>
      <PostForm action={at('/clock')} class="actions">
        <input type="hidden" name="amount" value={asked.amount} />
        <input type="hidden" name="unit" value={asked.unit} />
        <button class="bad" name="confirm" value="yes">
          {texts.confirm}
        </button>
        <a href={at('/clock')}>{texts.cancel}</a>
      </PostForm>
    </section>
  )
}

function AdvanceForms() {
  const view = useView()
  const texts = SANDBOX_TEXTS[view.language].clock
  return (
    <>
      <h2>{texts.advance}</h2>
      <form action={view.at('/clock')} class="actions">
        <input type="hidden" name="unit" value="second" />
        {STEPS_MS.map((stepMs) => (
          <button name="amount" value={String(stepMs / SECOND_MS)}>
            + {formatDuration(stepMs, view.language)}
          </button>
        ))}
      </form>
      <form action={view.at('/clock')}>
        <fieldset class="inline-form actions">
          <legend>{texts.custom}</legend>
          <label>
            {texts.amount}
            <input
              type="number"
              name="amount"
              min="1"
              max="527040"
              required
              inputmode="numeric"
              aria-describedby="custom-hint"
            />
          </label>
          <Select name="unit" label={texts.unit} options={texts.units} />
          <button>{texts.advance}</button>
          <p class="hint" id="custom-hint">
            {texts.customHint}
          </p>
        </fieldset>
      </form>
    </>
  )
}
