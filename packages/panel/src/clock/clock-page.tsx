import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { formatDuration } from '../language/format.js'
import { PostForm } from '../page/post-form.js'
import { Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { clockMessages } from './clock-messages.js'

/** Steps that one button takes, in milliseconds. */
const STEPS_MS = [10 * MINUTE_MS, HOUR_MS, DAY_MS, 30 * DAY_MS]

interface ClockPageProps {
  readonly view: View
  readonly nowMs: number
  readonly aheadMs: number
}

export function ClockPage({ view, nowMs, aheadMs }: ClockPageProps) {
  const texts = clockMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <section class="card">
        <dl class="facts prominent">
          <Fact term={texts.now}>
            <Time view={view} ms={nowMs} />
          </Fact>
          <Fact term={texts.ahead}>
            {aheadMs === 0 ? texts.notAhead : formatDuration(aheadMs, view.language)}
          </Fact>
        </dl>
        <p>{texts.shared}</p>
        <h2>{texts.advance}</h2>
        <PostForm view={view} action="/clock" class="actions">
          <input type="hidden" name="unit" value="second" />
          {STEPS_MS.map((stepMs) => (
            <button name="amount" value={String(stepMs / SECOND_MS)}>
              {texts.by(formatDuration(stepMs, view.language))}
            </button>
          ))}
        </PostForm>
        <CustomStep view={view} />
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
}

function CustomStep({ view }: { readonly view: View }) {
  const texts = clockMessages[view.language]
  return (
    <PostForm view={view} action="/clock" class="inline-form">
      <fieldset>
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
        <label>
          {texts.unit}
          <select name="unit">
            {Object.entries(texts.units).map(([unit, text]) => (
              <option value={unit}>{text}</option>
            ))}
          </select>
        </label>
        <button>{texts.advance}</button>
        <p class="hint" id="custom-hint">
          {texts.customHint}
        </p>
      </fieldset>
    </PostForm>
  )
}
