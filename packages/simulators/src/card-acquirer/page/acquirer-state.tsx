import { PostForm, Time } from '../../page/view.js'
import type { NoticeAttempt } from '../notice-line.js'
import type { Setting, ShownAcquirer } from './shown-payment.js'
import type { View } from './view.js'

interface RulesProps {
  readonly view: View
  readonly acquirer: Pick<ShownAcquirer, 'rules' | 'rulesAre'>
}

/** What a person types to see a payment end in a certain way. */
export function RuleList({ view, acquirer }: RulesProps) {
  const texts = view.texts.rules
  return (
    <details class="card">
      <summary>{texts.title}</summary>
      <p>{texts.by[acquirer.rulesAre]}</p>
      <ul>
        {acquirer.rules.map(({ given, answer }) => (
          <li>
            <code>{given}</code>: {answer}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface SettingsProps {
  readonly view: View
  readonly settings: readonly Setting[]
}

export function SettingsForm({ view, settings }: SettingsProps) {
  const { texts } = view
  // The first of the values is the usual one.
  const isUsual = settings.every(({ values, chosen }) => values[0] === chosen)
  return (
    <details class="card" open={!isUsual}>
      <summary>{texts.behaviour}</summary>
      <PostForm view={view} action="/settings">
        {settings.map(({ name, values, chosen }) => (
          <label>
            {texts.settings[name].label}
            <select name={name}>
              {values.map((value) => (
                <option value={value} selected={value === chosen}>
                  {choiceText(view, name, value)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button>{texts.apply}</button>
      </PostForm>
    </details>
  )
}

function choiceText({ texts }: View, name: Setting['name'], value: string): string {
  const choices: Readonly<Record<string, string>> = texts.settings[name].choices
  return choices[value] ?? value
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
              <th scope="col">{texts.event}</th>
              <th scope="col">{texts.reference}</th>
              <th scope="col">{texts.result}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ timeMs, url, event, reference, result }) => (
              <tr>
                <td data-label={texts.time}>
                  <Time view={view} ms={timeMs} />
                </td>
                <td data-label={texts.address}>{new URL(url).host}</td>
                <td data-label={texts.event}>{event}</td>
                <td data-label={texts.reference}>
                  <code>{reference}</code>
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
