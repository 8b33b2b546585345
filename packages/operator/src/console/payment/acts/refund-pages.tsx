import { randomUUID } from 'node:crypto'
import { type MinorUnits, minorUnits } from '@cofre/contracts'
import { REFUND_REASONS, capturedSums } from '@cofre/gateway/room'
import type { PossibleActs, RefundResult } from '../../../model/payment-acts.js'
import {
  editableAmount,
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  done,
  refused,
  actorOf,
  Facts,
  PostForm,
  Select,
  portAt,
  type Form,
  type View,
  type Visit,
  useView,
  useTexts,
  formatMoney,
  shownDocument,
  shownEmail,
  shownName,
  wayText,
} from '@cofre/panel/page'
import { fill } from '@cofre/pages'
import { AmountField, FormProblem } from './amount-field.js'
import { type ActedOn, actPage, findActedOn, paymentAddress } from './payment-acts.js'
import {
  NOTE_LENGTH_MAX,
  type RefundChoice,
  type RefundProblem,
  readRefundChoice,
  readRefundForm,
} from './refund-choice.js'
import type { PaymentParts } from '../parts.js'
import { PAYMENT_ACTS_TEXTS } from './texts.js'
import { PAYMENT_TEXTS } from '../texts.js'

const REFUND = {
  needs: 'refund:create',
  act: 'refund:create',
  stepUp: true,
  detail: detailOf,
} as const satisfies ActionRule

/**
 * The choice of a refund's amount and reason, then its confirmation. The address contains the
 * choice.
 */
export function refundPages({ page, action }: ConsolePages, parts: PaymentParts): void {
  page('/payments/:code/refund', { needs: 'refund:create' }, async (visit) => {
    const found = await findActedOn(parts, visit)
    return found && choicePage(visit, found)
  })

  page('/payments/:code/refund/confirm', { needs: 'refund:create' }, async (visit) => {
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const choice = readRefundChoice(visit.c.req.query(), found.possible.refund)
    if (typeof choice === 'string' || found.possible.refund.obstacle !== undefined)
      return choicePage(visit, found, typeof choice === 'string' ? choice : undefined)
    return confirmationPage(visit.view, found, choice)
  })

  action('/payments/:code/refund', REFUND, async (visit, form) => {
    const { access, c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const order = readRefundForm(form)
    if (order === undefined) return refused('form-incomplete')
    const result = await portAt(parts.paymentActs, visit).refund(storeId, {
      ...order,
      code,
      actor: actorOf(access),
    })
    return outcomeOf(result, view.at(`/payments/${code}`))
  })
}

/** The refund's detail in the log of acts. */
function detailOf(form: Form) {
  const { amountMinor, reason } = readRefundForm(form) ?? {}
  return amountMinor === undefined || reason === undefined ? {} : { amountMinor, reason }
}

function outcomeOf(result: RefundResult, payment: string): ActionResult {
  if (result === 'begun') return done('refund-begun', { to: payment })
  if (result === 'not-found') return refused('gone')
  const flash = result === 'changed' ? 'refund-changed' : 'refund-refused'
  return refused(flash, { to: `${payment}/refund` })
}

function choicePage({ c, view }: Visit, { details, possible }: ActedOn, problem?: RefundProblem) {
  const { transaction } = details
  const { obstacle } = possible.refund
  const texts = PAYMENT_ACTS_TEXTS[view.language].refundForm
  const body = (
    <>
      <Amounts paidMinor={capturedSums(transaction).amountMinor} refund={possible.refund} />
      {obstacle === undefined ? (
        <ChoiceForm
          action={`${paymentAddress(view, transaction)}/refund/confirm`}
          refund={possible.refund}
          typed={c.req.query()}
          problem={problem}
        />
      ) : (
        <section class="card">
          <h2>{texts.impossible}</h2>
          <p>{texts.obstacles[obstacle]}</p>
        </section>
      )}
    </>
  )
  return actPage(view, transaction, { title: texts.title, body })
}

interface AmountsProps {
  readonly paidMinor: MinorUnits
  readonly refund: PossibleActs['refund']
}

function Amounts({ paidMinor, refund: { remainingMinor } }: AmountsProps) {
  const { language } = useView()
  const texts = useTexts(PAYMENT_ACTS_TEXTS).refundForm
  const returnedMinor = minorUnits(paidMinor - remainingMinor)
  return (
    <section class="card">
      <Facts
        class="prominent"
        facts={[
          [texts.paid, formatMoney(paidMinor, language)],
          [texts.returned, returnedMinor > 0 && formatMoney(returnedMinor, language)],
          [texts.remaining, formatMoney(remainingMinor, language)],
        ]}
      />
    </section>
  )
}

interface ChoiceFormProps extends Pick<AmountsProps, 'refund'> {
  readonly action: string
  readonly typed: Readonly<Record<string, string>>
  readonly problem: RefundProblem | undefined
}

/** By GET: it changes nothing yet, and returning to it keeps the choice. */
function ChoiceForm({ action, refund, typed, problem }: ChoiceFormProps) {
  const {
    language,
    texts: { refundReasons },
  } = useView()
  const texts = useTexts(PAYMENT_ACTS_TEXTS).refundForm
  const { remainingMinor, mayBePartial } = refund
  const isOfAmount = problem === 'amount-unreadable' || problem === 'amount-too-much'
  return (
    <form class="card" action={action}>
      {problem !== undefined && <FormProblem>{texts.problems[problem]}</FormProblem>}
      {mayBePartial ? (
        <AmountField
          label={texts.amount}
          hint={texts.amountHint}
          value={typed.amount ?? editableAmount(remainingMinor, language)}
          isWrong={isOfAmount}
        />
      ) : (
        <p>{texts.wholeOnly}</p>
      )}
      <Select
        name="reason"
        label={texts.reason}
        any={texts.chooseReason}
        options={Object.fromEntries(REFUND_REASONS.map((one) => [one, refundReasons[one]]))}
        {...(typed.reason !== undefined && { chosen: typed.reason })}
        {...(problem === 'reason-missing' && { hintId: 'problem' })}
      />
      <button>{texts.continue}</button>
    </form>
  )
}

function confirmationPage(view: View, { details, possible }: ActedOn, choice: RefundChoice) {
  const { transaction } = details
  const { amountMinor, reason } = choice
  const { remainingMinor } = possible.refund
  const texts = PAYMENT_ACTS_TEXTS[view.language].refundForm
  const { methods } = view.texts
  const amount = formatMoney(amountMinor, view.language)
  const payer =
    `${shownName(details.payerName, view)} ${shownEmail(transaction.payerEmail, view)}`.trim()
  const method = wayText(transaction, methods)
  const body = (
    <>
      <section class="card">
        <Facts
          facts={[
            [PAYMENT_TEXTS[view.language].transaction.amount, <strong>{amount}</strong>],
            [texts.toPayer, payer],
            [
              PAYMENT_TEXTS[view.language].transaction.document,
              shownDocument(transaction.payerDocument, view),
            ],
            [PAYMENT_TEXTS[view.language].transaction.method, method],
            [texts.reason, view.texts.refundReasons[reason]],
            [
              texts.remainsAfter,
              formatMoney(minorUnits(remainingMinor - amountMinor), view.language),
            ],
          ]}
        />
      </section>
      <Confirmation
        action={`${paymentAddress(view, transaction)}/refund`}
        button={fill(texts.confirm, { amount })}
        fields={{
          form: randomUUID(),
          amount: String(amountMinor),
          remaining: String(remainingMinor),
          reason,
        }}
      />
    </>
  )
  return actPage(view, transaction, { title: fill(texts.confirmTitle, { amount }), body })
}

interface ConfirmationProps {
  readonly action: string
  readonly button: string
  readonly fields: Readonly<Record<string, string>>
}

function Confirmation({ action, button, fields }: ConfirmationProps) {
  const { here } = useView()
  const texts = useTexts(PAYMENT_ACTS_TEXTS).refundForm
  return (
    <section class="card">
      <p>{texts.irreversible}</p>
      <PostForm action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label>
          {texts.note}
          <textarea name="note" rows={3} maxlength={NOTE_LENGTH_MAX} aria-describedby="note-hint" />
        </label>
        <p class="hint" id="note-hint">
          {texts.noteHint}
        </p>
        <div class="actions">
          <button class="bad">{button}</button>
          <a href={here.replace('/refund/confirm', '/refund')}>{texts.change}</a>
        </div>
      </PostForm>
    </section>
  )
}
