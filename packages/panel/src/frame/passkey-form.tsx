import type { PropsWithChildren } from 'hono/jsx'
import { assets } from './layout.js'
import { useView } from '../visit/visit.js'

interface PasskeyFormProps {
  readonly action: string
  /** Creates a passkey, or asks for one. */
  readonly kind: 'create' | 'get'
  /** The address of the passkey's options. */
  readonly options: string
  readonly button: string
  /** The name of the field that posts the answer. */
  readonly field?: string
}

/** A form that the script shows if the browser has passkeys. Its button comes first in the form. */
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
