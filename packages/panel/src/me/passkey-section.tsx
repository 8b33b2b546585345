import { fill } from '@cofre/pages'
import type { Passkey } from '@cofre/people'
import { PasskeyForm } from '../frame/passkey-form.js'
import { PostForm, Time } from '../part/parts.js'
import { useView } from '../visit/visit.js'

export const LABEL_LENGTH_MAX = 60

/** The signed-in person's passkeys; adding one needs a script. */
export function PasskeySection({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const texts = useView().texts.passkeys
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} />}
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

function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const texts = useView().texts.passkeys
  return (
    <ul>
      {passkeys.map(({ id, label, createdAtMs, usedAtMs }) => (
        <li class="row">
          <span>
            {label}{' '}
            <span class="minor">
              {texts.since} <Time ms={createdAtMs} /> · {texts.used}{' '}
              {usedAtMs === undefined ? texts.never : <Time ms={usedAtMs} />}
            </span>
          </span>
          <PostForm action="/me/passkeys/remove">
            <input type="hidden" name="passkey" value={id} />
            <button class="quiet small" aria-label={fill(texts.removeOne, { name: label })}>
              {texts.remove}
            </button>
          </PostForm>
        </li>
      ))}
    </ul>
  )
}
