import type { CancelResult } from '@cofre/operator'
import { fill } from '@cofre/pages'
import { actorOf } from '../../frame/act-text.js'
import { type ActionRule, type ConsolePages, done, refused } from '../../frame/console-pages.js'
import type { Flash } from '../../frame/flash.js'
import { Facts, PostForm } from '../../frame/parts.js'
import { formatMoney } from '../../frame/format.js'
import { shownDocument, shownEmail } from '../../frame/shown-payer.js'
import { actPage, findActedOn, paymentAddress } from './payment-acts.js'
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

/** The end of an open charge, and of a payer's right to buy in the store. */
export function chargePages(pages: ConsolePages): void {
  cancelPage(pages)
  blockPage(pages)
}

function cancelPage({ page, action }: ConsolePages): void {
  page('/payments/:code/cancel', { needs: 'charge:cancel' }, async (visit) => {
    const found = await findActedOn(visit)
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

  action('/payments/:code/cancel', CANCEL, async ({ c, gateway, storeId, view }) => {
    const { code = '' } = c.req.param()
    const result = await gateway.paymentActs.cancel(storeId, code)
    const beside = { to: view.at(`/payments/${code}`) }
    if (result === 'cancelled') return done('charge-cancelled', beside)
    return refused(CANCEL_FLASHES[result], beside)
  })
}

function blockPage({ page, action }: ConsolePages): void {
  page('/payments/:code/block', { needs: 'payer:block' }, async (visit) => {
    const found = await findActedOn(visit)
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

  action('/payments/:code/block', BLOCK, async ({ access, c, gateway, storeId, view }) => {
    const { code = '' } = c.req.param()
    const result = await gateway.paymentActs.block(storeId, code, actorOf(access))
    const beside = { to: view.at(`/payments/${code}`) }
    return result === 'blocked' ? done('payer-blocked', beside) : refused('gone', beside)
  })

  action('/payments/:code/unblock', UNBLOCK, async ({ c, gateway, storeId, view }) => {
    const { code = '' } = c.req.param()
    const result = await gateway.paymentActs.unblock(storeId, code)
    const beside = { to: view.at(`/payments/${code}`) }
    return result === 'unblocked' ? done('payer-unblocked', beside) : refused('gone', beside)
  })
}
