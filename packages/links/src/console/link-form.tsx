import {
  type Failure,
  LINK_REFERENCE_LENGTH_MAX,
  LINK_USAGES,
  minorUnits,
  transactionLanguageSchema,
} from '@cofre/contracts'
import { messageOf } from '@cofre/contracts/errors'
import type { LinkMethod } from '../model/payment-link.js'
import { fill } from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import {
  LINK_FIELDS,
  type LinkField,
  type TypedLink,
  chosenMethods,
  fieldOf,
  methodBox,
} from './link-order.js'
import { methodName } from './link-parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import {
  PostForm,
  type View,
  formatLanguage,
  formatMoney,
  useTexts,
  useView,
} from '@cofre/panel/page'

/** The languages of the payment page. */
const LANGUAGES = ['pt-BR', 'en-US'] as const

export interface LinkFormProps {
  readonly typed: TypedLink
  /** The methods that may pay the store's links. */
  readonly methods: readonly LinkMethod[]
  /** The store's maximum. */
  readonly installmentsMax: number
  readonly failures?: readonly Failure[]
}

interface FieldProps {
  readonly name: LinkField
  readonly typed: TypedLink
  readonly problems: ReadonlyMap<LinkField, string>
}

/** The form of a new link, with its problems beside the fields and the typed values. */
export function LinkForm({ typed, methods, installmentsMax, failures = [] }: LinkFormProps) {
  const view = useView()
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links'].create
  const problems = problemsOf(failures, view)
  const field = (name: LinkField) => ({ name, typed, problems })
  return (
    <PostForm action={view.at('/payment-links/new')} class="card">
      <Problems failures={failures} problems={problems} />
      <TextField {...field('amount')} inputmode="decimal" required maxlength={20} />
      <TextField {...field('description')} required maxlength={200} />
      <TextField {...field('reference')} required maxlength={LINK_REFERENCE_LENGTH_MAX} />
      <MethodBoxes {...field('methods')} methods={methods} />
      <CaptureBox {...field('capture')} />
      <ChoiceField {...field('installments')} options={installmentOptions(view, installmentsMax)} />
      <UsageChoice {...field('usage')} />
      <TextField {...field('expires-at')} type="datetime-local" />
      <TextField {...field('notification-url')} type="url" required maxlength={200} />
      <TextField {...field('success-url')} type="url" maxlength={200} />
      <ChoiceField {...field('language')} options={languageOptions(view, typed)} />
      <button>{texts.submit}</button>
    </PostForm>
  )
}

/** Lists all problems, each a link to its field. */
function Problems({
  failures,
  problems,
}: Pick<FieldProps, 'problems'> & { readonly failures: readonly Failure[] }) {
  const view = useView()
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links'].create
  if (failures.length === 0) return null
  const others = failures.filter((failure) => fieldOf(failure) === undefined)
  return (
    <div class="flash bad" role="alert" tabindex={-1} autofocus>
      <p>
        <strong>{texts.problem}</strong>
      </p>
      <ul>
        {LINK_FIELDS.filter((name) => problems.has(name)).map((name) => (
          <li>
            <a href={`#${name}`}>{texts.labels[name]}</a>: {problems.get(name)}
          </li>
        ))}
        {others.map((failure) => (
          <li>{plainMessage(failure, view)}</li>
        ))}
      </ul>
    </div>
  )
}

function plainMessage(failure: Failure, { language }: View): string {
  return messageOf(failure, language).replaceAll('`', '')
}

/** The first problem of each field, in the form's words. */
function problemsOf(failures: readonly Failure[], view: View): ReadonlyMap<LinkField, string> {
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links'].create
  const problems = new Map<LinkField, string>()
  for (const failure of failures) {
    const field = fieldOf(failure)
    if (field === undefined || problems.has(field)) continue
    const isMissing = failure.constraint === 'required'
    problems.set(field, isMissing ? texts.missing : problemOf(failure, field, view))
  }
  return problems
}

function problemOf(failure: Failure, field: LinkField, view: View): string {
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links'].create
  const { name, constraint, minimum, maximum } = failure
  if (constraint === 'unique') return texts.taken
  if (name === 'payment_link_capture_needs_cards') return texts.needsCard
  if (name === 'unavailable_payment_method') return plainMessage(failure, view)
  const money = (reais: number) => formatMoney(minorUnits(Math.round(reais * 100)), view.language)
  if (field === 'amount' && minimum !== undefined)
    return fill(texts.atLeast, { amount: money(minimum) })
  if (field === 'amount' && maximum !== undefined)
    return fill(texts.atMost, { amount: money(maximum) })
  return texts.problems[field]
}

/** The ids of the elements that describe a field: its hint and its problem. */
function describedBy({ name, problems }: Pick<FieldProps, 'name' | 'problems'>): string {
  return problems.has(name) ? `${name}-hint ${name}-problem` : `${name}-hint`
}

function Notes({ name, problems }: Pick<FieldProps, 'name' | 'problems'>) {
  const { hints } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <>
      <p class="hint" id={`${name}-hint`}>
        {hints[name]}
      </p>
      {problems.has(name) && (
        <p class="problem" id={`${name}-problem`}>
          {problems.get(name)}
        </p>
      )}
    </>
  )
}

interface TextFieldProps extends FieldProps {
  readonly type?: string
  readonly inputmode?: 'decimal'
  readonly required?: boolean
  readonly maxlength?: number
}

function TextField({ name, typed, problems, ...input }: TextFieldProps) {
  const { labels, optional } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <div class="field">
      <label for={name}>
        {labels[name]}
        {input.required !== true && ` (${optional})`}
      </label>
      <input
        id={name}
        name={name}
        value={typed[name]}
        autocomplete="off"
        aria-describedby={describedBy({ name, problems })}
        aria-invalid={problems.has(name) ? 'true' : undefined}
        {...input}
      />
      <Notes name={name} problems={problems} />
    </div>
  )
}

interface ChoiceFieldProps extends FieldProps {
  /** Texts by value. */
  readonly options: ReadonlyMap<string, string>
}

function ChoiceField({ name, typed, problems, options }: ChoiceFieldProps) {
  const { labels } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <div class="field">
      <label for={name}>{labels[name]}</label>
      <select
        id={name}
        name={name}
        aria-describedby={describedBy({ name, problems })}
        aria-invalid={problems.has(name) ? 'true' : undefined}
      >
        {[...options].map(([value, text]) => (
          <option value={value} selected={value === typed[name]}>
            {text}
          </option>
        ))}
      </select>
      <Notes name={name} problems={problems} />
    </div>
  )
}

function installmentOptions({ language }: View, most: number): ReadonlyMap<string, string> {
  const { once, upTo } = PAYMENT_LINK_TEXTS[language]['payment-links'].installments
  const counts = Array.from({ length: most }, (_, index) => index + 1)
  return new Map(counts.map((count) => [String(count), count === 1 ? once : fill(upTo, { count })]))
}

/** The page's languages, and the store's own. */
function languageOptions(
  { language: shownIn }: View,
  { language: chosen }: TypedLink,
): ReadonlyMap<string, string> {
  const offered = transactionLanguageSchema.options.filter(
    (one) => one === chosen || LANGUAGES.some((spoken) => spoken === one),
  )
  return new Map(offered.map((one) => [one, formatLanguage(one, shownIn)]))
}

function Group({ name, problems, children }: PropsWithChildren<Omit<FieldProps, 'typed'>>) {
  const { labels } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <fieldset
      class="field"
      id={name}
      tabindex={-1}
      aria-describedby={describedBy({ name, problems })}
    >
      <legend>{labels[name]}</legend>
      {children}
      <Notes name={name} problems={problems} />
    </fieldset>
  )
}

function MethodBoxes({
  typed,
  methods,
  ...field
}: FieldProps & { readonly methods: readonly LinkMethod[] }) {
  const view = useView()
  const chosen = chosenMethods(typed)
  return (
    <Group {...field}>
      {methods.map((method) => (
        <label class="choice">
          <input
            type="checkbox"
            name={methodBox(method)}
            value="yes"
            checked={chosen.includes(method)}
          />
          {methodName(method, view)}
        </label>
      ))}
    </Group>
  )
}

function CaptureBox({ typed, ...field }: FieldProps) {
  const { captureLater } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <Group {...field}>
      <label class="choice">
        <input type="checkbox" name="capture" value="later" checked={typed.capture !== ''} />
        {captureLater}
      </label>
    </Group>
  )
}

function UsageChoice({ typed, ...field }: FieldProps) {
  const { usageTexts } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].create
  return (
    <Group {...field}>
      {LINK_USAGES.map((usage) => (
        <label class="choice">
          <input type="radio" name="usage" value={usage} checked={usage === typed.usage} />
          {usageTexts[usage]}
        </label>
      ))}
    </Group>
  )
}
