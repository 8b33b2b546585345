import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { Hono } from 'hono'
import { toReais } from '../centavos.js'
import { type CartLine, EMPTY_CART, cartLines, cartTotals, isShipped } from '../cart/cart.js'
import { parseBrand } from '../order/card-summary.js'
import { type Order, isUnsettled } from '../order/order.js'
import { readForm } from '../page/posted-form.js'
import { renderPage } from '../page/render-page.js'
import { type Session, listSavedCards } from '../session/session.js'
import type { ShopContext, ShopEnv } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { walletPath } from '../wallet/wallet-path.js'
import {
  type CheckoutForm,
  EMPTY_VALUES,
  type Method,
  type PaymentChoice,
  missingFields,
  parseCheckoutForm,
} from './checkout-form.js'
import { CheckoutPage, CheckoutScripts } from './checkout-page.js'
import type { FieldValues } from './field-name.js'
import { installmentOptions } from './installment-options.js'
import { payerIp } from './payer-ip.js'
import { placeOrder } from './place-order.js'
import type { Refusal } from './refusal.js'

const REFERENCE = /^serra-[0-9a-z]{1,16}-[0-9a-f]{8}$/
const NOTHING_WRONG: Refusal = { fields: [], problems: [] }

/** What the form shows again. */
interface Shown {
  readonly values: FieldValues
  readonly method: Method
  readonly refusal: Refusal
}

export function checkoutRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/', (c) => {
    const values = c.var.session?.contact ?? EMPTY_VALUES
    return showCheckout(c, shop, { values, method: 'card', refusal: NOTHING_WRONG })
  })

  app.get('/installments', async (c) => {
    const { session, language, messages } = c.var
    const brand = parseBrand(c.req.query('brand') ?? '')
    const lines = cartLines(session?.cart ?? EMPTY_CART)
    if (brand === undefined || lines.length === 0) return c.json({ options: [] }, 400)
    const amount = toReais(cartTotals(lines).totalCentavos)
    try {
      const offered = await shop.merchant.installments({ brand, amount })
      return c.json({ options: installmentOptions(offered, language, messages) })
    } catch (error) {
      if (!(error instanceof MerchantApiError) && !(error instanceof MerchantConnectionError))
        throw error
      shop.log.warn({ reason: error.message }, 'installments not known')
      return c.json({ options: [] }, 502)
    }
  })

  app.post('/', async (c) => {
    const form = parseCheckoutForm(await readForm(c), shop.wallets)
    // Another tab may have paid while the form was read.
    const session = shop.sessions.find(c.var.session?.id ?? '')
    if (session === undefined) return c.redirect('/cart', 303)
    c.set('session', session)
    if (shop.orders.findOwn(session.id, form.reference) !== undefined)
      return c.redirect(`/result/${form.reference}`, 303)
    const [first, ...others] = cartLines(session.cart)
    if (first === undefined) return c.redirect(addressWithoutCart(shop, session), 303)

    const lines: readonly [CartLine, ...CartLine[]] = [first, ...others]
    const payment = usablePayment(c, form)
    const refusal = judgeForm(form, payment, isShipped(lines))
    const { values, method } = form
    if (refusal !== undefined || payment === undefined || !REFERENCE.test(form.reference))
      return showCheckout(c, shop, { values, method, refusal: refusal ?? NOTHING_WRONG })
    const placement = await placeOrder(shop, {
      session,
      form,
      payment,
      lines,
      language: c.var.language,
      payerIp: payerIp(c),
    })
    switch (placement.kind) {
      case 'placed':
        return c.redirect(nextPage(placement.order), 303)
      case 'refused':
        return showCheckout(c, shop, { values, method, refusal: placement.refusal })
    }
  })

  return app
}

/** A wallet has a page of its own to pay on; all others show the payer here what there is to do. */
function nextPage(order: Order): string {
  return order.payment.kind === 'wallet' ? walletPath(order) : `/result/${order.reference}`
}

/** Where a form leads whose cart is gone: to the order that is being paid, when there is one. */
function addressWithoutCart({ orders }: Shop, { id }: Session): string {
  const running = orders.listOwn(id).find(isUnsettled)
  return running === undefined ? '/cart' : `/result/${running.reference}`
}

/** A saved card pays only in the session that saved it. */
function usablePayment(c: ShopContext, { payment }: CheckoutForm): PaymentChoice | undefined {
  if (payment?.kind !== 'saved-card') return payment
  const isOwn = listSavedCards(c.var.session).some(({ card }) => card.code === payment.code)
  return isOwn ? payment : undefined
}

function judgeForm(
  { values, payment: posted }: CheckoutForm,
  payment: PaymentChoice | undefined,
  hasShipping: boolean,
): Refusal | undefined {
  const fields = missingFields(values, hasShipping)
  if (payment !== undefined && fields.length === 0) return undefined
  const problem = posted?.kind === 'saved-card' ? 'saved_card_unusable' : 'card_missing'
  return { fields, problems: payment === undefined ? [problem] : [] }
}

function showCheckout(c: ShopContext, shop: Shop, { values, method, refusal }: Shown) {
  const { session, language, messages } = c.var
  const lines = cartLines(session?.cart ?? EMPTY_CART)
  if (lines.length === 0) return c.redirect('/cart', 303)
  const isRefused = refusal.fields.length + refusal.problems.length > 0
  const body = (
    <CheckoutPage
      lines={lines}
      values={values}
      method={method}
      refusal={refusal}
      reference={shop.newReference()}
      savedCards={listSavedCards(session)}
      wallets={shop.wallets}
      libraryUrl={shop.libraryUrl}
      libraryIntegrity={shop.libraryIntegrity}
      libraryGlobal={shop.libraryGlobal}
      storeId={shop.storeId}
      language={language}
      messages={messages}
    />
  )
  return renderPage(c, {
    title: messages.checkout.title,
    body,
    status: isRefused ? 422 : 200,
    head: <CheckoutScripts {...shop} />,
  })
}
