import { fill } from '@cofre/pages'
import type { Passkey } from '@cofre/people'
import { PasskeyForm } from '../frame/passkey-form.js'
import { PostForm, Time } from '../frame/parts.js'
import { useView } from '../frame/visit.js'

export const LABEL_LENGTH_MAX = 60

/** Passkeys of whoever is signed in; with a script they can be added. */
export function PasskeySection({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const texts = useView().texts.passkeys
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} />}
      <PasskeyForm
        kind="create"
        action="/me/passkeys"
        options="/me/passkeys/options"
        button={texts.add}
      >
        <label>
          {texts.label}
          <input name="label" autocomplete="off" maxlength={LABEL_LENGTH_MAX} />
        </label>
      </PasskeyForm>
      <noscript>
        <p>{texts.noScript}</p>
      </noscript>
    </section>
  )
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const texts = useView().texts.passkeys
  return (
    <table class="list" aria-label={texts.title}>
      <thead>
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">{texts.since}</th>
          <th scope="col">{texts.used}</th>
          <th scope="col">{texts.action}</th>
        </tr>
      </thead>
      <tbody>
        {passkeys.map(({ id, label, createdAtMs, usedAtMs }) => (
          <tr>
            <th scope="row" data-label={texts.name}>
              {label}
            </th>
            <td data-label={texts.since}>
              <Time ms={createdAtMs} />
            </td>
            <td data-label={texts.used}>
              {usedAtMs === undefined ? texts.never : <Time ms={usedAtMs} />}
            </td>
            <td data-label={texts.action}>
              <PostForm action="/me/passkeys/remove">
                <input type="hidden" name="passkey" value={id} />
                <button class="quiet small" aria-label={fill(texts.removeOne, { name: label })}>
                  {texts.remove}
                </button>
              </PostForm>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
