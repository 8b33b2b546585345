import { readForm } from '@cofre/pages'
import { Hono } from 'hono'
import { parseBrand } from '../model/card.js'
import { type CartLine, isShipped, totalsOf } from '../model/cart.js'
import { elsewhereOf, isUnsettled } from '../model/order.js'
import type { FieldValues } from '../model/payer.js'
import type { ShopSession } from '../model/session.js'
import { renderPage } from '../page/layout.js'
import { type ShopContext, type ShopEnv, linesOf, payerIp } from '../page/visitor.js'
import { findInstallments, placeOrder } from '../payment/place-order.js'
import type { Refusal } from '../payment/refusal.js'
import { type Shop, findOrder, ordersOf } from '../payment/shop.js'
import { installmentLabel } from '../texts/order-words.js'
import { type CheckoutForm, judgeForm, parseCardInput, parseCheckoutForm } from './checkout-form.js'
import { CheckoutPage, CheckoutScripts } from './checkout-page.js'

const REFERENCE_BYTES = 4
const NOTHING_WRONG: Refusal = { fields: [], problems: [] }

export function checkoutRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/checkout', (c) => {
    const values: FieldValues = c.var.session?.contact ?? new Map()
    return showCheckout(c, shop, { values, method: 'card', refusal: NOTHING_WRONG })
  })

  app.get('/checkout/installments', async (c) => {
    const { language, texts } = c.var
    const brand = parseBrand(c.req.query('brand') ?? '')
    const { totalCentavos } = totalsOf(linesOf(c))
    if (brand === undefined || totalCentavos === 0) return c.json({ options: [] }, 400)
    const offered = await findInstallments(shop, { brand }, totalCentavos)
    if (offered === undefined) return c.json({ options: [] }, 502)
    const options = offered.map((terms) => ({
      quantity: terms.quantity,
      label: installmentLabel(terms, texts, language),
    }))
    return c.json({ options })
  })

  app.post('/checkout', async (c) => {
    const fields = await readForm(c)
    const form = parseCheckoutForm(fields, shop.wallets)
    const { session, language } = c.var
    if (session === undefined) return c.redirect('/cart', 303)
    const cardInput = parseCardInput(fields)
    if (cardInput !== undefined) {
      session.cardInput = cardInput
      session.contact = form.values
      return c.redirect('/checkout#card-payment', 303)
    }
    if (findOrder(shop, form.reference, session) !== undefined)
      return c.redirect(`/orders/${form.reference}`, 303)
    const [first, ...others] = linesOf(c)
    if (first === undefined) return c.redirect(addressWithoutCart(shop, session), 303)

    const lines: readonly [CartLine, ...CartLine[]] = [first, ...others]
    const refusal = judgeForm(form, { session, isShipped: isShipped(lines) })
    const { payment } = form
    if (payment === undefined || isRefused(refusal) || form.reference === '')
      return showCheckout(c, shop, { ...form, refusal })
    const purchase = { ...form, session, lines, payment, language, payerIp: payerIp(c) }
    const placement = await placeOrder(shop, purchase)
    if ('refusal' in placement) return showCheckout(c, shop, { ...form, ...placement })
    // Wallets and issuers have their own pages.
    const leave = elsewhereOf(placement.order) === undefined ? '' : '?leave=yes'
    return c.redirect(`/orders/${form.reference}${leave}`, 303)
  })

  return app
}

/** The target of a form with an empty cart: the order being paid, if there is one. */
function addressWithoutCart(shop: Shop, session: ShopSession): string {
  const running = ordersOf(shop, session).find(isUnsettled)
  return running === undefined ? '/cart' : `/orders/${running.reference}`
}

function isRefused({ fields, problems }: Refusal): boolean {
  return fields.length + problems.length > 0
}

type Shown = Pick<CheckoutForm, 'values' | 'method'> & { readonly refusal: Refusal }

function showCheckout(c: ShopContext, shop: Shop, shown: Shown) {
  const { session, texts } = c.var
  const lines = linesOf(c)
  if (lines.length === 0) return c.redirect('/cart', 303)
  const cardInput = session?.cardInput ?? 'own'
  const body = (
    <CheckoutPage
      {...shown}
      cardInput={cardInput}
      lines={lines}
      savedCards={session?.savedCards ?? []}
      reference={`serra-${shop.now().toString(36)}-${shop.newId(REFERENCE_BYTES)}`}
    />
  )
  return renderPage(c, {
    title: texts.checkout.title,
    body,
    status: isRefused(shown.refusal) ? 422 : 200,
    head: <CheckoutScripts cardInput={cardInput} />,
  })
}
