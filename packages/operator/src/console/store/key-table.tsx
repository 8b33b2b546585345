import type { ShownKey, ShownKeys } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import { Time, useTexts, useView, formatTime } from '@cofre/panel/page'
import { STORE_TEXTS } from './texts.js'

interface KeyTableProps extends ShownKeys {
  readonly nowMs: number
}

/** The keys that sign the store's requests, without secrets. */
export function KeyTable({ keys, notificationSecret, nowMs }: KeyTableProps) {
  const { language } = useView()
  const texts = useTexts(STORE_TEXTS).store.keys
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <table class="list" aria-label={texts.title}>
        <thead>
          <tr>
            <th scope="col">{texts.key}</th>
            <th scope="col">{texts.may}</th>
            <th scope="col">{texts.used}</th>
            <th scope="col">{texts.ends}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow shown={key} nowMs={nowMs} />
          ))}
        </tbody>
      </table>
      <p>
        {notificationSecret === undefined
          ? texts.notificationsFollow
          : fill(texts.notificationsApart, {
              since: formatTime(notificationSecret.createdAtMs, language),
            })}
      </p>
      <p class="hint">{texts.changedBy}</p>
    </section>
  )
}

function KeyRow({ shown, nowMs }: { readonly shown: ShownKey; readonly nowMs: number }) {
  const {
    language,
    texts: { frame },
  } = useView()
  const texts = useTexts(STORE_TEXTS).store.keys
  const { id, name, scopes, usedAtMs, endsAtMs } = shown
  const hasEnded = endsAtMs !== undefined && endsAtMs <= nowMs
  return (
    <tr>
      <td data-label={texts.key}>
        {name} <code>{id}</code>
      </td>
      <td data-label={texts.may}>{scopes.map((scope) => texts.scopes[scope]).join(', ')}</td>
      <td data-label={texts.used}>
        {usedAtMs === undefined ? texts.never : <Time ms={usedAtMs} />}
      </td>
      <td data-label={texts.ends}>
        {endsAtMs === undefined
          ? frame.none
          : fill(hasEnded ? texts.endedAt : texts.endsAt, { at: formatTime(endsAtMs, language) })}
      </td>
    </tr>
  )
}
