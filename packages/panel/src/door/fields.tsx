import { PERSON_NAME_LENGTH_MAX } from '@cofre/people'
import { DOOR_TEXTS } from './texts.js'
import { useTexts } from '../visit/visit.js'

const EMAIL_LENGTH_MAX = 254
const PASSWORD_LENGTH_MAX = 128
const CODE_LENGTH_MAX = 32

interface FieldProps {
  readonly value?: string | undefined
  /** Id of the element that describes the field. */
  readonly describedBy?: string | undefined
}

export function EmailField({ value, describedBy }: FieldProps) {
  return (
    <label>
      {useTexts(DOOR_TEXTS).door.email}
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

export function NameField({ value }: FieldProps) {
  return (
    <label>
      {useTexts(DOOR_TEXTS).link.name}
      <input
        name="name"
        value={value}
        required
        autocomplete="name"
        maxlength={PERSON_NAME_LENGTH_MAX}
      />
    </label>
  )
}

export function PasswordField({ describedBy }: FieldProps) {
  return (
    <label>
      {useTexts(DOOR_TEXTS).door.password}
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
  const texts = useTexts(DOOR_TEXTS).link
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

/** A field for a one-time code; `label` names the kind of code. */
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
