import type { CancelResult } from '../../../model/payment-acts.js'
import { fill } from '@cofre/pages'
import {
  actorOf,
  type ActionRule,
  type ConsolePages,
  done,
  refused,
  type Flash,
  Facts,
  PostForm,
  portAt,
  formatMoney,
  shownDocument,
  shownEmail,
} from '@cofre/panel/page'
import { actPage, findActedOn, paymentAddress } from './payment-acts.js'
import type { PaymentParts } from '../parts.js'
import { PAYMENT_ACTS_TEXTS } from './texts.js'
import { PAYMENT_TEXTS } from '../texts.js'

const CANCEL = {
  needs: 'charge:cancel',
  act: 'charge:cancel',
  stepUp: true,
} as const satisfies ActionRule
const BLOCK = {
  needs: 'payer:block',
  act: 'payer:block',
  stepUp: true,
} as const satisfies ActionRule
const UNBLOCK = { ...BLOCK, act: 'payer:unblock' } as const satisfies ActionRule

const CANCEL_FLASHES: Readonly<Record<Exclude<CancelResult, 'cancelled'>, Flash>> = {
  'not-answered': 'cancel-not-answered',
  'paid-meanwhile': 'paid-meanwhile',
  'not-possible': 'cancel-not-possible',
  'not-found': 'gone',
}

/** The pages that cancel an open charge, and that block a payer in the store. */
export function chargePages(pages: ConsolePages, parts: PaymentParts): void {
  cancelPage(pages, parts)
  blockPage(pages, parts)
}

function cancelPage({ page, action }: ConsolePages, parts: PaymentParts): void {
  page('/payments/:code/cancel', { needs: 'charge:cancel' }, async (visit) => {
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const { view } = visit
    const texts = PAYMENT_ACTS_TEXTS[view.language].cancelCharge
    const { transaction } = found.details
    const amount = formatMoney(transaction.amountMinor, view.language)
    const body = (
      <section class="card">
        {found.possible.mayCancel ? (
          <>
            <p>{fill(texts.text, { amount })}</p>
            <PostForm action={`${paymentAddress(view, transaction)}/cancel`}>
              <button class="bad">{fill(texts.confirm, { amount })}</button>
            </PostForm>
          </>
        ) : (
          <p>{texts.impossible}</p>
        )}
      </section>
    )
    return actPage(view, transaction, { title: texts.title, body })
  })

  action('/payments/:code/cancel', CANCEL, async (visit) => {
    const { c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const result = await portAt(parts.paymentActs, visit).cancel(storeId, code)
    const beside = { to: view.at(`/payments/${code}`) }
    if (result === 'cancelled') return done('charge-cancelled', beside)
    return refused(CANCEL_FLASHES[result], beside)
  })
}

function blockPage({ page, action }: ConsolePages, parts: PaymentParts): void {
  page('/payments/:code/block', { needs: 'payer:block' }, async (visit) => {
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const { view } = visit
    const texts = PAYMENT_ACTS_TEXTS[view.language].blockPayer
    const { transaction } = found.details
    const { isPayerBlocked } = found.possible
    const payment = paymentAddress(view, transaction)
    const title = isPayerBlocked === true ? texts.unblockTitle : texts.title
    const body =
      isPayerBlocked === undefined ? (
        <p>{texts.erased}</p>
      ) : (
        <section class="card">
          <Facts
            facts={[
              [
                PAYMENT_TEXTS[view.language].transaction.document,
                shownDocument(transaction.payerDocument, view),
              ],
              [
                PAYMENT_TEXTS[view.language].transaction.payer,
                shownEmail(transaction.payerEmail, view),
              ],
            ]}
          />
          <p>{isPayerBlocked ? texts.unblockText : texts.text}</p>
          <PostForm action={`${payment}/${isPayerBlocked ? 'unblock' : 'block'}`}>
            <button class="bad">{isPayerBlocked ? texts.unblock : texts.confirm}</button>
          </PostForm>
        </section>
      )
    return actPage(view, transaction, { title, body })
  })

  action('/payments/:code/block', BLOCK, async (visit) => {
    const { access, c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const result = await portAt(parts.paymentActs, visit).block(storeId, code, actorOf(access))
    const beside = { to: view.at(`/payments/${code}`) }
    return result === 'blocked' ? done('payer-blocked', beside) : refused('gone', beside)
  })

  action('/payments/:code/unblock', UNBLOCK, async (visit) => {
    const { c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const result = await portAt(parts.paymentActs, visit).unblock(storeId, code)
    const beside = { to: view.at(`/payments/${code}`) }
    return result === 'unblocked' ? done('payer-unblocked', beside) : refused('gone', beside)
  })
}
