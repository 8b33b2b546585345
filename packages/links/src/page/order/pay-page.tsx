import { Choice, fill } from '@cofre/pages'
import type { ShownLink } from '../../model/payment-page.js'
import { waitsForPayer } from '../../model/link-try.js'
import { kindOf, methodName } from '../frame/method.js'
import { useView } from '../frame/view.js'
import { CardPart, type CardFieldsLibrary } from './card-part.js'
import type { TypedForm } from './pay-form.js'
import { PayerFields } from './payer-fields.js'
import type { Refusal } from './refusal.js'

export interface PayPageProps {
  readonly link: ShownLink
  /** Unique to this form: a refused one may have opened its try. */
  readonly formId: string
  readonly typed: TypedForm
  readonly refusal?: Refusal | undefined
  readonly cardFields: CardFieldsLibrary
}

/** The amount, and the form that pays it. */
export function PayPage(props: PayPageProps) {
  const { link } = props
  const { texts, money, time } = useView()
  return (
    <>
      <div class="asked">
        <h1>{fill(texts.form.title, { amount: money(link.amountMinor) })}</h1>
        <p class="lead">{link.description}</p>
        {link.isCapturedLater && <p data-testid="reserved-now">{texts.form.reservedNow}</p>}
        {link.expiresAtMs !== undefined && (
          <p class="hint">{fill(texts.form.validUntil, { time: time(link.expiresAtMs) })}</p>
        )}
      </div>
      <OpenTry link={link} />
      {hasForm(props) && <PayForm {...props} />}
    </>
  )
}

/** False while any try would be refused. A payer who sent a form meanwhile keeps it. */
export function hasForm({ link, refusal }: Pick<PayPageProps, 'link' | 'refusal'>): boolean {
  const { openTry } = link
  if (openTry === undefined || refusal !== undefined) return true
  return openTry.state !== 'under-review' && openTry.state !== 'authenticating'
}

/** At a link for one payment: notes that another payment is waiting or being confirmed. */
function OpenTry({ link }: Pick<PayPageProps, 'link'>) {
  const { texts } = useView()
  const { openTry } = link
  if (openTry === undefined) return null
  const { open } = texts
  const text = waitsForPayer(openTry.state) ? open.waiting : open.running
  return (
    <section class="card open-try" aria-labelledby="open-try" data-testid="open-try">
      <h2 id="open-try">{open.title}</h2>
      <p>{fill(text, { method: methodName(openTry.method, texts) })}</p>
      <p>
        <a class="button quiet" href={`/pay/${link.id}/${openTry.id}`}>
          {open.show}
        </a>
      </p>
    </section>
  )
}

function PayForm(props: PayPageProps) {
  const { link, formId, typed, refusal, cardFields } = props
  const { texts, here, language } = useView()
  const { form, problems } = texts
  const [onlyMethod] = link.methods.length === 1 ? link.methods : []
  const scriptTexts = {
    encrypting: form.encrypting,
    paying: form.paying,
    waiting: form.waiting,
    connection: problems.connection,
    unavailable: problems.unavailable,
    cardFrame: problems.card_frame,
  }
  return (
    <form
      id="pay"
      class="stack"
      method="post"
      action={here}
      novalidate
      data-only={onlyMethod && kindOf(onlyMethod)}
      data-link={link.id}
      data-store={link.storeId}
      data-language={language}
      data-vault={cardFields.vaultUrl}
      data-global={cardFields.global}
      data-texts={JSON.stringify(scriptTexts)}
    >
      <Problems refusal={refusal} />
      <input type="hidden" name="form" value={formId} autocomplete="off" />
      {onlyMethod === undefined ? (
        <Methods link={link} chosen={typed.method} />
      ) : (
        <input type="hidden" name="method" value={onlyMethod} data-kind={kindOf(onlyMethod)} />
      )}
      <PayerFields
        values={typed.values}
        refused={refusal?.fields ?? new Map()}
        methods={link.methods}
      />
      {link.methods.includes('credit-card') && (
        <CardPart link={link} installments={typed.installments} />
      )}
      <PayButton link={link} />
      <p id="progress" class="hint" role="status" aria-live="polite"></p>
    </form>
  )
}

/** All problems, above the form; the script fills the same place. */
function Problems({ refusal }: Pick<PayPageProps, 'refusal'>) {
  const { texts } = useView()
  return (
    <div
      id="problems"
      class="problem"
      role="alert"
      tabindex={-1}
      data-testid="problems"
      data-problem={refusal?.problems[0]}
      hidden={refusal === undefined}
      autofocus={refusal !== undefined}
    >
      <h2>{texts.form.problems}</h2>
      <ul>
        {refusal?.problems.map((problem) => (
          <li>{texts.problems[problem]}</li>
        ))}
        {[...(refusal?.fields ?? [])].map(([name, kind]) => (
          <li>
            <a href={`#${name}`}>{texts.fields[name][kind]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface MethodsProps {
  readonly link: ShownLink
  readonly chosen: string | undefined
}

function Methods({ link, chosen }: MethodsProps) {
  const { texts } = useView()
  return (
    <fieldset class="card">
      <legend>{texts.form.chooseMethod}</legend>
      <div class="choices">
        {link.methods.map((method) => {
          const kind = kindOf(method)
          const name = methodName(method, texts)
          const input = { name: 'method', value: method, checked: method === chosen }
          return (
            <Choice
              input={{ ...input, 'data-kind': kind }}
              hint={fill(texts.methods[kind].text, { name })}
            >
              <strong>{name}</strong>
            </Choice>
          )
        })}
      </div>
    </fieldset>
  )
}

/** Labelled by its action; the stylesheet shows the label of the chosen method. */
function PayButton({ link }: Pick<PayPageProps, 'link'>) {
  const { texts, money } = useView()
  const { pay, reserve } = texts.form
  const kinds = [...new Set(link.methods.map(kindOf))]
  return (
    <button class="pay" type="submit" data-testid="pay">
      {kinds.map((kind) => (
        <span class={`for-${kind}`}>
          {fill(link.isCapturedLater ? reserve : pay[kind], { amount: money(link.amountMinor) })}
        </span>
      ))}
    </button>
  )
}
