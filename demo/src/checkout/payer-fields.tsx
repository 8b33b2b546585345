import type { Messages } from '../language/messages.js'
import { FormField, describedBy } from './form-field.js'
import type { FieldName, FieldValues } from './field-name.js'

interface PayerFieldsProps {
  readonly values: FieldValues
  readonly wrong: readonly FieldName[]
  readonly messages: Messages
}

/** How a field is typed. */
interface InputKind {
  readonly width: 'full' | 'wide' | 'half' | 'narrow'
  readonly type?: 'text' | 'email' | 'tel' | 'date'
  readonly autocomplete: string
  readonly inputmode?: 'numeric' | 'tel' | 'email'
  readonly maxlength?: number
  readonly isOptional?: true
}

const INPUTS: Readonly<Record<Exclude<FieldName, 'state'>, InputKind>> = {
  name: { width: 'full', autocomplete: 'name', maxlength: 255 },
  email: {
    width: 'full',
    type: 'email',
    autocomplete: 'email',
    inputmode: 'email',
    maxlength: 60,
  },
  cpf: { width: 'half', autocomplete: 'off', inputmode: 'numeric', maxlength: 14 },
  'birth-date': { width: 'half', type: 'date', autocomplete: 'bday' },
  phone: { width: 'full', type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: 20 },
  'zip-code': { width: 'half', autocomplete: 'postal-code', inputmode: 'numeric', maxlength: 9 },
  street: { width: 'wide', autocomplete: 'address-line1', maxlength: 160 },
  number: { width: 'narrow', autocomplete: 'off', maxlength: 20 },
  complement: { width: 'half', autocomplete: 'address-line2', maxlength: 40, isOptional: true },
  district: { width: 'half', autocomplete: 'address-level3', maxlength: 60 },
  city: { width: 'wide', autocomplete: 'address-level2', maxlength: 60 },
}

const STATES =
  'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'.split(' ')

/** Who pays. */
export function ContactFields(props: PayerFieldsProps) {
  const { checkout } = props.messages
  return (
    <fieldset class="card">
      <legend>{checkout.contact}</legend>
      <p class="hint">{checkout.contactHint}</p>
      <div class="fields">
        <TextField {...props} name="name" />
        <TextField {...props} name="email" />
        <TextField {...props} name="cpf" />
        <TextField {...props} name="birth-date" />
        <TextField {...props} name="phone" />
      </div>
    </fieldset>
  )
}

/** Where to send it. */
export function AddressFields(props: PayerFieldsProps) {
  return (
    <fieldset class="card">
      <legend>{props.messages.checkout.address}</legend>
      <div class="fields">
        <TextField {...props} name="zip-code" />
        <TextField {...props} name="street" />
        <TextField {...props} name="number" />
        <TextField {...props} name="complement" />
        <TextField {...props} name="district" />
        <TextField {...props} name="city" />
        <StateField {...props} />
      </div>
    </fieldset>
  )
}

interface TextFieldProps extends PayerFieldsProps {
  readonly name: keyof typeof INPUTS
}

function TextField({ name, values, wrong, messages }: TextFieldProps) {
  const { fields, hints, fieldErrors } = messages.checkout
  const { width, type = 'text', autocomplete, inputmode, maxlength, isOptional } = INPUTS[name]
  const hint = hints[name]
  const error = wrong.includes(name) ? fieldErrors[name] : undefined
  return (
    <FormField id={name} label={fields[name]} hint={hint} error={error} width={width}>
      <input
        id={name}
        name={name}
        type={type}
        value={values[name]}
        autocomplete={autocomplete}
        inputmode={inputmode}
        maxlength={maxlength}
        required={isOptional !== true}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={describedBy(name, hint)}
      />
    </FormField>
  )
}

function StateField({ values, wrong, messages }: PayerFieldsProps) {
  const { fields, fieldErrors, chooseState } = messages.checkout
  const error = wrong.includes('state') ? fieldErrors.state : undefined
  return (
    <FormField id="state" label={fields.state} error={error} width="narrow">
      <select
        id="state"
        name="state"
        autocomplete="address-level1"
        required
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={describedBy('state', undefined)}
      >
        <option value="">{chooseState}</option>
        {STATES.map((state) => (
          <option value={state} selected={values.state === state}>
            {state}
          </option>
        ))}
      </select>
    </FormField>
  )
}
