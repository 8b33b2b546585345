import type { PropsWithChildren } from 'hono/jsx'
import { assets } from './layout.js'
import { useView } from './visit.js'

interface PasskeyFormProps {
  readonly action: string
  /** Whether it makes a passkey, or asks for one. */
  readonly kind: 'create' | 'get'
  /** Where the script gets what the passkey is asked. */
  readonly options: string
  readonly button: string
  /** What the answer is posted as. */
  readonly field?: string
}

/** What a script shows where the browser has passkeys. Its button is the form's first. */
export function PasskeyForm(props: PropsWithChildren<PasskeyFormProps>) {
  const { action, kind, options, button, field = 'passkey', children } = props
  const { csrfToken, texts } = useView()
  return (
    <>
      <form
        method="post"
        action={action}
        hidden
        data-passkey={kind}
        data-options={options}
        data-field={field}
      >
        <input type="hidden" name="csrf" value={csrfToken} />
        {children}
        <input type="hidden" name={field} />
        <p class="flash bad" role="alert" data-passkey-problem hidden>
          {texts.passkeys.notAnswered}
        </p>
        <button type="button">{button}</button>
      </form>
      <script src={assets.urlOf('passkey.js')} defer></script>
    </>
  )
}
