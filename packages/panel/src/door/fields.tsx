import { type Form, useView } from '../frame/visit.js'

const EMAIL_LENGTH_MAX = 254
const PASSWORD_LENGTH_MAX = 128
const CODE_LENGTH_MAX = 32
const NAME_LENGTH_MAX = 100
/** What a person sees of a name. */
const SEEN = /[^\p{C}\p{M}\p{Z}]/u

interface FieldProps {
  readonly value?: string | undefined
  /** Of what is said about it. */
  readonly describedBy?: string | undefined
}

export function EmailField({ value, describedBy }: FieldProps) {
  return (
    <label>
      {useView().texts.door.email}
      <input
        name="email"
        type="email"
        value={value}
        required
        autocomplete="username"
        maxlength={EMAIL_LENGTH_MAX}
        aria-describedby={describedBy}
      />
    </label>
  )
}

/** The name that a person gives, on one line; undefined for one that is too long or not seen. */
export function personName(form: Form): string | undefined {
  const name = (form.get('name') ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return name.length <= NAME_LENGTH_MAX && SEEN.test(name) ? name : undefined
}

export function NameField({ value }: FieldProps) {
  return (
    <label>
      {useView().texts.link.name}
      <input name="name" value={value} required autocomplete="name" maxlength={NAME_LENGTH_MAX} />
    </label>
  )
}

export function PasswordField({ describedBy }: FieldProps) {
  return (
    <label>
      {useView().texts.door.password}
      <input
        name="password"
        type="password"
        required
        autocomplete="current-password"
        maxlength={PASSWORD_LENGTH_MAX}
        aria-describedby={describedBy}
      />
    </label>
  )
}

export function NewPasswordField() {
  const texts = useView().texts.link
  return (
    <>
      <label>
        {texts.newPassword}
        <input
          name="password"
          type="password"
          required
          autocomplete="new-password"
          maxlength={PASSWORD_LENGTH_MAX}
          aria-describedby="password-rule"
        />
      </label>
      <p class="hint" id="password-rule">
        {texts.passwordRule}
      </p>
    </>
  )
}

/** `label` says which code is asked for. */
export function CodeField({ label, describedBy }: FieldProps & { readonly label: string }) {
  return (
    <label>
      {label}
      <input
        name="code"
        required
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        maxlength={CODE_LENGTH_MAX}
        aria-describedby={describedBy}
      />
    </label>
  )
}
