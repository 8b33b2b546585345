import {
  ADDRESS_FIELDS,
  type AddressField,
  CONTACT_FIELDS,
  type FieldName,
  type FieldValues,
  OPTIONAL_FIELDS,
} from '../model/payer.js'
import { type FieldWidth, FormField, describing } from '../page/form-field.js'
import { useView } from '../page/view.js'

/** How a field is typed. */
interface InputKind {
  readonly width: FieldWidth
  readonly type?: 'email' | 'tel' | 'date'
  readonly autocomplete: string
  readonly inputmode?: 'numeric' | 'tel' | 'email'
  readonly maxlength?: number
}

const INPUTS: Readonly<Record<FieldName, InputKind>> = {
  name: { width: 'full', autocomplete: 'name', maxlength: 255 },
  email: { width: 'full', type: 'email', autocomplete: 'email', inputmode: 'email', maxlength: 60 },
  cpf: { width: 'half', autocomplete: 'off', inputmode: 'numeric', maxlength: 14 },
  'birth-date': { width: 'half', type: 'date', autocomplete: 'bday' },
  phone: { width: 'full', type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: 20 },
  'zip-code': { width: 'half', autocomplete: 'postal-code', inputmode: 'numeric', maxlength: 9 },
  street: { width: 'wide', autocomplete: 'address-line1', maxlength: 160 },
  number: { width: 'narrow', autocomplete: 'off', maxlength: 20 },
  complement: { width: 'half', autocomplete: 'address-line2', maxlength: 40 },
  district: { width: 'half', autocomplete: 'address-level3', maxlength: 60 },
  city: { width: 'wide', autocomplete: 'address-level2', maxlength: 60 },
  state: { width: 'narrow', autocomplete: 'address-level1' },
}

const STATES =
  'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'.split(' ')

interface PayerFieldsProps {
  readonly values: FieldValues
  readonly wrong: readonly FieldName[]
}

/** Who pays. */
export function ContactFields(props: PayerFieldsProps) {
  const { checkout } = useView().texts
  return (
    <fieldset class="card">
      <legend>{checkout.contact}</legend>
      <p class="hint">{checkout.contactHint}</p>
      <div class="fields">
        {CONTACT_FIELDS.map((name) => (
          <PayerField {...props} name={name} />
        ))}
      </div>
    </fieldset>
  )
}

/** Where to send the goods. */
export function AddressFields(props: PayerFieldsProps) {
  return (
    <fieldset class="card">
      <legend>{useView().texts.checkout.address}</legend>
      <div class="fields">
        {ADDRESS_FIELDS.map((name: AddressField) => (
          <PayerField {...props} name={name} />
        ))}
      </div>
    </fieldset>
  )
}

function PayerField(props: PayerFieldsProps & { readonly name: FieldName }) {
  const { name, values, wrong } = props
  const { checkout } = useView().texts
  const hints: Readonly<Partial<Record<FieldName, string>>> = checkout.hints
  const { width, ...input } = INPUTS[name]
  const error = wrong.includes(name) ? checkout.fieldErrors[name] : undefined
  const field = { id: name, label: checkout.fields[name], hint: hints[name], error, width }
  const value = values.get(name) ?? ''
  const attributes = {
    ...describing(field),
    ...input,
    name,
    required: !OPTIONAL_FIELDS.includes(name),
  }
  return (
    <FormField {...field}>
      {name === 'state' ? (
        <select {...attributes}>
          <option value="">{checkout.chooseState}</option>
          {STATES.map((state) => (
            <option value={state} selected={value === state}>
              {state}
            </option>
          ))}
        </select>
      ) : (
        <input {...attributes} value={value} />
      )}
    </FormField>
  )
}
