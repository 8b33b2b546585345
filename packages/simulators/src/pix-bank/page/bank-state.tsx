import { isDeepStrictEqual } from 'node:util'
import { PostForm, Time } from '../../page/view.js'
import { CALM, type Conditions } from '../conditions.js'
import type { NoticeAttempt } from '../notices.js'
import type { View } from './view.js'

interface ConditionsProps {
  readonly view: View
  readonly conditions: Conditions
}

export function ConditionsForm({ view, conditions }: ConditionsProps) {
  const texts = view.texts.conditions
  const { notices, refunds, delayMs, connection, lifetime } = conditions
  const isCalm = isDeepStrictEqual(conditions, CALM)
  return (
    <details class="card" open={!isCalm}>
      <summary>{texts.title}</summary>
      <PostForm view={view} action="/conditions">
        <Choice
          name="notices"
          label={texts.notices}
          choices={texts.noticeChoices}
          chosen={notices}
        />
        <Choice
          name="refunds"
          label={texts.refunds}
          choices={texts.refundChoices}
          chosen={refunds}
        />
        <Choice
          name="delayMs"
          label={texts.delay}
          choices={texts.delayChoices}
          chosen={String(delayMs)}
        />
        <Choice
          name="connection"
          label={texts.connection}
          choices={texts.connectionChoices}
          chosen={connection}
        />
        <Choice
          name="lifetime"
          label={texts.lifetime}
          choices={texts.lifetimeChoices}
          chosen={lifetime}
        />
        <button>{texts.apply}</button>
      </PostForm>
    </details>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
}

function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(choices).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface NoticesProps {
  readonly view: View
  readonly attempts: readonly NoticeAttempt[]
}

export function NoticeTable({ view, attempts }: NoticesProps) {
  const texts = view.texts.notices
  return (
    <section class="card" aria-labelledby="notices">
      <h2 id="notices">{texts.title}</h2>
      {attempts.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col">{texts.address}</th>
              <th scope="col">{texts.payments}</th>
              <th scope="col">{texts.result}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ timeMs, url, endToEndIds, result }) => (
              <tr>
                <td data-label={texts.time}>
                  <Time view={view} ms={timeMs} />
                </td>
                <td data-label={texts.address}>{new URL(url).host}</td>
                <td data-label={texts.payments}>
                  <code>{endToEndIds.join(' ')}</code>
                </td>
                <td data-label={texts.result}>
                  {'status' in result ? result.status : result.failure}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
