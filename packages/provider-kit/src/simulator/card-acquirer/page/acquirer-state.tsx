import { NoticeTable } from '../../page/notice-table.js'
import { PostForm } from '../../page/view.js'
import type { NoticeAttempt } from '../notice-line.js'
import type { Setting, ShownAcquirer } from './shown-payment.js'
import type { View } from './view.js'

interface RulesProps {
  readonly view: View
  readonly acquirer: Pick<ShownAcquirer, 'rules' | 'rulesAre'>
}

/** The inputs that make a payment end in a certain way. */
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
  // The first of the values is the default.
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

/** The notices, and the responses of the shop's system. */
export function SentNotices({ view, attempts }: NoticesProps) {
  const texts = view.texts.notices
  return (
    <NoticeTable
      view={view}
      texts={texts}
      attempts={attempts}
      columns={[
        { label: texts.event, show: ({ event }) => event },
        { label: texts.reference, show: ({ reference }) => <code>{reference}</code> },
      ]}
    />
  )
}
