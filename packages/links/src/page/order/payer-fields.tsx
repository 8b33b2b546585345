import { FormField } from '@cofre/pages'
import { type MethodKind, kindOf } from '../frame/method.js'
import { useView } from '../frame/view.js'
import {
  ADDRESS_FIELDS,
  CONTACT_FIELDS,
  type FieldName,
  OPTIONAL_FIELDS,
  methodOfField,
} from './payer-field.js'
import inputs from './payer-inputs.json' with { type: 'json' }
import type { Refusal } from './refusal.js'

type InputKind = { readonly width: string } & Readonly<Record<string, string | number>>

/** The input of each field. The gateway validates the values. */
const INPUTS: Readonly<Record<FieldName, InputKind>> = inputs

const STATES = 'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'

interface PayerFieldsProps {
  readonly values: ReadonlyMap<FieldName, string>
  readonly refused: Refusal['fields']
  readonly methods: readonly string[]
}

/**
 * The payer: the fields for every method, and those for some. The stylesheet shows the required
 * ones.
 */
export function PayerFields(props: PayerFieldsProps) {
  const { form } = useView().texts
  const kinds = new Set(props.methods.map(kindOf))
  return (
    <div id="payer" class="stack">
      <fieldset class="card">
        <legend>{form.yourData}</legend>
        <div class="fields">
          {CONTACT_FIELDS.map((name) => (
            <OrderField {...props} kinds={kinds} name={name} />
          ))}
        </div>
      </fieldset>
      {kinds.has('boleto') && (
        <fieldset class="card for-boleto">
          <legend>{form.address}</legend>
          <p class="hint">{form.addressHint}</p>
          <div class="fields">
            {ADDRESS_FIELDS.map((name) => (
              <PayerField {...props} name={name} />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  )
}

interface FieldProps extends PayerFieldsProps {
  readonly name: FieldName
}

/** A field for one kind of method, present only if the link accepts that kind. */
function OrderField({ kinds, ...props }: FieldProps & { readonly kinds: ReadonlySet<MethodKind> }) {
  const kind = methodOfField(props.name)
  if (kind === undefined) return <PayerField {...props} />
  return kinds.has(kind) ? <PayerField {...props} shownFor={kind} /> : null
}

function PayerField(props: FieldProps & { readonly shownFor?: MethodKind }) {
  const { name, values, refused, shownFor } = props
  const { fields, form, page } = useView().texts
  const text: Readonly<Record<'label' | 'missing' | 'wrong', string>> & { readonly hint?: string } =
    fields[name]
  const wrong = refused.get(name)
  const { width, ...input } = INPUTS[name]
  const isOptional = OPTIONAL_FIELDS.includes(name)
  return (
    <FormField
      {...input}
      id={name}
      name={name}
      width={shownFor === undefined ? width : `${width} for-${shownFor}`}
      label={text.label}
      note={isOptional ? page.optional : undefined}
      hint={text.hint}
      error={wrong === undefined ? undefined : text[wrong]}
      value={values.get(name) ?? ''}
      required={!isOptional}
      data-missing={text.missing}
      options={name === 'state' ? stateOptions(form.chooseState) : undefined}
    />
  )
}

function stateOptions(none: string): Readonly<Record<string, string>> {
  return { '': none, ...Object.fromEntries(STATES.split(' ').map((state) => [state, state])) }
}
