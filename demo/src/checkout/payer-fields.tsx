import { FormField } from '@cofre/pages'
import {
  ADDRESS_FIELDS,
  CONTACT_FIELDS,
  type FieldName,
  type FieldValues,
  OPTIONAL_FIELDS,
} from '../model/payer.js'
import { useView } from '../page/view.js'
import inputs from './payer-inputs.json' with { type: 'json' }

type InputKind = { readonly width: string } & Readonly<Record<string, string | number>>

/** The input of each field. Patterns are what a browser can check; the service decides. */
const INPUTS: Readonly<Record<FieldName, InputKind>> = inputs

const STATES = Object.fromEntries(
  'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'
    .split(' ')
    .map((state) => [state, state]),
)

interface PayerFieldsProps {
  readonly values: FieldValues
  readonly wrong: readonly FieldName[]
}

/** The payer's contact data. */
export function ContactFields(props: PayerFieldsProps) {
  const { checkout } = useView().texts
  return (
    <fieldset class="card">
      <legend>{checkout.contact}</legend>
      <p class="hint">{checkout.contactHint}</p>
      <div class="fields">
        {CONTACT_FIELDS.map((name) => (
          <PayerField {...props} name={name} isAsked />
        ))}
      </div>
    </fieldset>
  )
}

type AddressFieldsProps = PayerFieldsProps & {
  /**
   * True if goods are shipped there; else only a boleto needs it, and the stylesheet shows it then.
   */
  readonly isShipped: boolean
}

export function AddressFields({ isShipped, ...props }: AddressFieldsProps) {
  const { checkout } = useView().texts
  return (
    <fieldset class="card" id={isShipped ? undefined : 'boleto-address'}>
      <legend>{isShipped ? checkout.address : checkout.payerAddress}</legend>
      {!isShipped && <p class="hint">{checkout.payerAddressHint}</p>}
      <div class="fields">
        {ADDRESS_FIELDS.map((name) => (
          <PayerField {...props} name={name} isAsked={isShipped} />
        ))}
      </div>
    </fieldset>
  )
}

interface PayerFieldProps extends PayerFieldsProps {
  readonly name: FieldName
  /** True for every method: a browser doesn't submit a form with a required hidden field. */
  readonly isAsked: boolean
}

function PayerField({ name, values, wrong, isAsked }: PayerFieldProps) {
  const { checkout } = useView().texts
  const hints: Readonly<Partial<Record<FieldName, string>>> = checkout.hints
  return (
    <FormField
      id={name}
      name={name}
      {...INPUTS[name]}
      label={checkout.fields[name]}
      hint={hints[name]}
      error={wrong.includes(name) ? checkout.fieldErrors[name] : undefined}
      value={values.get(name) ?? ''}
      required={isAsked && !OPTIONAL_FIELDS.includes(name)}
      options={name === 'state' ? { '': checkout.chooseState, ...STATES } : undefined}
    />
  )
}
