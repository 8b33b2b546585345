import { type MinorUnits, assertNever, minorUnits } from '@cofre/contracts'
import { chargedShare, isAuthorized } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import {
  type ActionResult,
  type ActionRule,
  type ConsolePages,
  type Form,
  type View,
  type Visit,
  Facts,
  PostForm,
  Time,
  actorOf,
  done,
  editableAmount,
  formatMoney,
  portAt,
  readAmount,
  refused,
} from '@cofre/panel/page'
import type { EndedResult } from '../../../model/payment-acts.js'
import type { PaymentParts } from '../parts.js'
import { AmountField, FormProblem } from './amount-field.js'
import { type ActedOn, actPage, findActedOn, paymentAddress } from './payment-acts.js'
import { readCentavos } from './refund-choice.js'
import { PAYMENT_ACTS_TEXTS } from './texts.js'

const CAPTURE = {
  needs: 'refund:create',
  act: 'payment:capture',
  stepUp: true,
  detail: detailOf,
} as const satisfies ActionRule
const VOID = {
  needs: 'refund:create',
  act: 'payment:void',
  stepUp: true,
} as const satisfies ActionRule

/** The pages that capture an authorized payment, whole or in part, and that void it. */
export function capturePages(pages: ConsolePages, parts: PaymentParts): void {
  capturePage(pages, parts)
  voidPage(pages, parts)
}

function capturePage({ page, action }: ConsolePages, parts: PaymentParts): void {
  page('/payments/:code/capture', CAPTURE, async (visit) => {
    const found = await findActedOn(parts, visit)
    return found && choicePage(visit, found)
  })

  page('/payments/:code/capture/confirm', CAPTURE, async (visit) => {
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const { transaction } = found.details
    const amount = readPart(visit.c.req.query('amount'), transaction.amountMinor)
    if (typeof amount === 'string') return choicePage(visit, found, amount)
    return isAuthorized(transaction)
      ? confirmationPage(visit.view, found, amount)
      : choicePage(visit, found)
  })

  action('/payments/:code/capture', CAPTURE, async (visit, form) => {
    const { access, c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const amountMinor = amountIn(form)
    if (amountMinor === undefined) return refused('form-incomplete')
    const asked = { amountMinor, orderedBy: actorOf(access) }
    const result = await portAt(parts.paymentActs, visit).capture(storeId, code, asked)
    return captureOutcome(result, view.at(`/payments/${code}`))
  })
}

type AmountProblem = 'amount-unreadable' | 'amount-too-much'

function readPart(typed = '', authorizedMinor: MinorUnits): MinorUnits | AmountProblem {
  const amountMinor = readAmount(typed)
  if (amountMinor === undefined || amountMinor === 0) return 'amount-unreadable'
  return amountMinor > authorizedMinor ? 'amount-too-much' : amountMinor
}

/** The amount in a confirmation; undefined if the form is not the console's. */
const amountIn = (form: Form): MinorUnits | undefined => readCentavos(form.get('amount') ?? '')

/** The capture's detail in the log of acts. */
function detailOf(form: Form) {
  const amountMinor = amountIn(form)
  return amountMinor === undefined ? {} : { amountMinor }
}

function captureOutcome(result: EndedResult, to: string): ActionResult {
  switch (result.kind) {
    case 'captured':
      return done('payment-captured', { to })
    case 'in-process':
      return done('capture-in-process', { to })
    case 'refused':
      return refused('capture-refused', { to })
    case 'overtaken':
      return refused(result.by === 'void' ? 'voided-meanwhile' : 'captured-otherwise', { to })
    case 'released':
      return refused('authorization-released', { to })
    case 'not-authorized':
      return refused('not-authorized', { to })
    case 'too-much':
      return refused('form-incomplete', { to: `${to}/capture` })
    case 'not-found':
      return refused('gone')
    default:
      return assertNever(result)
  }
}

function choicePage({ c, view }: Visit, { details }: ActedOn, problem?: AmountProblem) {
  const { transaction } = details
  const { amountMinor, capture } = transaction
  const { captureForm: texts, refundForm } = PAYMENT_ACTS_TEXTS[view.language]
  const body = isAuthorized(transaction) ? (
    <>
      <section class="card">
        <Facts
          class="prominent"
          facts={[
            [texts.authorized, formatMoney(amountMinor, view.language)],
            [texts.before, capture !== undefined && <Time ms={capture.beforeMs} />],
          ]}
        />
      </section>
      <form class="card" action={`${paymentAddress(view, transaction)}/capture/confirm`}>
        {problem !== undefined && (
          <FormProblem>
            {problem === 'amount-too-much'
              ? texts.tooMuch
              : refundForm.problems['amount-unreadable']}
          </FormProblem>
        )}
        <AmountField
          label={texts.amount}
          hint={texts.amountHint}
          value={c.req.query('amount') ?? editableAmount(amountMinor, view.language)}
          isWrong={problem !== undefined}
        />
        <button>{refundForm.continue}</button>
      </form>
    </>
  ) : (
    <p>{texts.impossible}</p>
  )
  return actPage(view, transaction, { title: texts.title, body })
}

function confirmationPage(view: View, { details }: ActedOn, amountMinor: MinorUnits) {
  const { transaction } = details
  const texts = PAYMENT_ACTS_TEXTS[view.language].captureForm
  const restMinor = minorUnits(transaction.amountMinor - amountMinor)
  const amount = formatMoney(amountMinor, view.language)
  const chargedMinor = chargedShare(amountMinor, { transaction, refunds: [] })
  const charged = formatMoney(chargedMinor, view.language)
  const rest = formatMoney(restMinor, view.language)
  const address = `${paymentAddress(view, transaction)}/capture`
  const body = (
    <section class="card">
      <p>
        {fill(chargedMinor === amountMinor ? texts.text : texts.interestText, { amount, charged })}
      </p>
      {restMinor > 0 && <p>{fill(texts.restText, { rest })}</p>}
      <PostForm action={address}>
        <input type="hidden" name="amount" value={String(amountMinor)} />
        <div class="actions">
          <button>{fill(texts.confirm, { amount })}</button>
          <a href={view.here.replace('/capture/confirm', '/capture')}>{texts.change}</a>
        </div>
      </PostForm>
    </section>
  )
  return actPage(view, transaction, { title: fill(texts.confirmTitle, { amount }), body })
}

function voidPage({ page, action }: ConsolePages, parts: PaymentParts): void {
  page('/payments/:code/void', VOID, async (visit) => {
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const { view } = visit
    const { transaction } = found.details
    const texts = PAYMENT_ACTS_TEXTS[view.language].voidForm
    const amount = formatMoney(transaction.amountMinor, view.language)
    const body = isAuthorized(transaction) ? (
      <section class="card">
        <p>{fill(texts.text, { amount })}</p>
        <PostForm action={`${paymentAddress(view, transaction)}/void`}>
          <button class="bad">{fill(texts.confirm, { amount })}</button>
        </PostForm>
      </section>
    ) : (
      <p>{texts.impossible}</p>
    )
    return actPage(view, transaction, { title: texts.title, body })
  })

  action('/payments/:code/void', VOID, async (visit) => {
    const { access, c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const acts = portAt(parts.paymentActs, visit)
    const result = await acts.voidAuthorized(storeId, code, actorOf(access))
    return voidOutcome(result, view.at(`/payments/${code}`))
  })
}

function voidOutcome(result: EndedResult, to: string): ActionResult {
  switch (result.kind) {
    case 'released':
      return done('authorization-voided', { to })
    case 'in-process':
      return done('void-in-process', { to })
    case 'refused':
      return refused('void-refused', { to })
    case 'overtaken':
    case 'captured':
      return refused('captured-meanwhile', { to })
    case 'not-authorized':
    case 'too-much':
      return refused('not-authorized', { to })
    case 'not-found':
      return refused('gone')
    default:
      return assertNever(result)
  }
}
