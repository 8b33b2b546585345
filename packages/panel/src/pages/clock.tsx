import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, advanceRequestTable } from '@cofre/contracts'
import type { PanelParts } from '../frame/panel-parts.js'
import { Facts, PostForm, Select, Time } from '../frame/parts.js'
import type { Form, StorePages } from '../frame/store-pages.js'
import { useView } from '../frame/visit.js'
import { formatDuration } from '../text/format.js'

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['second', SECOND_MS],
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
])

/** Steps that one button takes, in milliseconds. */
const STEPS_MS = [10 * MINUTE_MS, HOUR_MS, DAY_MS, 30 * DAY_MS]

/** Advances the sandbox's clock. */
export function clockPages({ page, action }: StorePages, { sandbox }: PanelParts): void {
  const { clock } = sandbox

  page('/clock', 'clock', ({ view }) => {
    const texts = view.texts.clock
    const aheadMs = clock.offsetMs()
    const ahead = aheadMs === 0 ? texts.notAhead : formatDuration(aheadMs, view.language)
    const body = (
      <>
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

  action('/clock', async (_visit, form) => {
    const durationMs = readDurationMs(form)
    if (durationMs === undefined) return 'form-incomplete'
    await clock.advance(durationMs)
    return 'clock-moved'
  })
}

/** By the rules of the API's own control of the clock. */
function readDurationMs(form: Form): number | undefined {
  const amount = form.get('amount') ?? ''
  const unitMs = UNITS_MS.get(form.get('unit') ?? '') ?? Number.NaN
  const seconds = /^\d{1,9}$/.test(amount) ? (Number(amount) * unitMs) / SECOND_MS : undefined
  const request = advanceRequestTable.validate({ seconds }, undefined)
  return request.ok ? request.value.seconds * SECOND_MS : undefined
}

function AdvanceForms() {
  const view = useView()
  const texts = view.texts.clock
  return (
    <>
      <h2>{texts.advance}</h2>
      <PostForm action="/clock" class="actions">
        <input type="hidden" name="unit" value="second" />
        {STEPS_MS.map((stepMs) => (
          <button name="amount" value={String(stepMs / SECOND_MS)}>
            + {formatDuration(stepMs, view.language)}
          </button>
        ))}
      </PostForm>
      <PostForm action="/clock">
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
      </PostForm>
    </>
  )
}
