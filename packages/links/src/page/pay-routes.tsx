import { randomUUID } from 'node:crypto'
import { fill, formatMoney, isFromOwnPage, readForm } from '@cofre/pages'
import type { Context, Hono } from 'hono'
import { type LinkState, linkPath } from '../model/payment-link.js'
import type { ShownLink } from '../model/payment-page.js'
import type { PaymentPageParts } from './page-parts.js'
import { PayScripts } from './order/card-part.js'
import { ClosedPage } from './order/closed-page.js'
import { type ReadOrder, type TypedForm, readPayForm } from './order/pay-form.js'
import { PayPage, hasForm } from './order/pay-page.js'
import { type Refusal, because, refusalOf } from './order/refusal.js'
import { renderNotice } from './frame/layout.js'

/** Serves and accepts the form of a link. */
export function addPayRoutes(app: Hono, parts: PaymentPageParts): void {
  const { gateway, render, site } = parts
  const path = '/pay/:link'

  app.get(path, async (c) => {
    const link = await gateway.find(c.req.param('link'))
    if (link === undefined) return renderNotice(c, render, 'missing')
    return showForm(c, parts, { link, typed: newForm(link) })
  })

  app.post(path, async (c) => {
    const link = await gateway.find(c.req.param('link'))
    if (link === undefined) return renderNotice(c, render, 'missing')
    const { typed, order } = readPayForm(await readForm(c), link)
    const refuse = (refusal: Refusal) => showForm(c, parts, { link, typed, refusal })
    if (!isFromOwnPage(c.req.raw, site)) return refuse(because('foreign', 403))
    if (typeof order === 'string') return refuse(because(order))
    const result = await pay(c, parts, { link, order })
    if (result.kind === 'try') return c.redirect(`${linkPath(link.id)}/${result.tryId}`, 303)
    if (result.kind === 'not-payable')
      return showForm(c, parts, { link: { ...link, state: result.state }, typed })
    return refuse(refusalOf(result, link))
  })
}

interface Sent {
  readonly link: ShownLink
  readonly order: ReadOrder
}

async function pay(c: Context, { gateway, options }: PaymentPageParts, { link, order }: Sent) {
  return await gateway.pay(link.id, {
    ...order,
    address: options.addressOf(c.req.raw, (c.env as object | undefined) ?? {}),
    returnUrl: (tryId) => new URL(`${linkPath(link.id)}/${tryId}`, options.url).href,
  })
}

/** An empty form. */
function newForm({ methods }: ShownLink): TypedForm {
  return { method: methods[0], values: new Map(), installments: 1 }
}

interface Shown {
  readonly link: ShownLink
  readonly typed: TypedForm
  readonly refusal?: Refusal | undefined
}

const CLOSED_STATUS = { reserved: 200, paid: 200, expired: 410, revoked: 410 } as const

function showForm(c: Context, parts: PaymentPageParts, shown: Shown) {
  const { link, refusal } = shown
  if (refusal?.retryAfterS !== undefined) c.header('Retry-After', String(refusal.retryAfterS))
  if (link.state !== 'payable') return showClosed(c, parts, { link, state: link.state })
  const { cardFields } = parts.options
  return parts.render(c, link, ({ form }, language) => ({
    title: fill(form.title, { amount: formatMoney(link.amountMinor, language) }),
    body: <PayPage {...shown} formId={randomUUID()} cardFields={cardFields} />,
    head: hasForm(shown) && <PayScripts link={link} cardFields={cardFields} />,
    ...(refusal !== undefined && { status: refusal.status }),
  }))
}

interface Closed {
  readonly link: ShownLink
  readonly state: Exclude<LinkState, 'payable'>
}

function showClosed(c: Context, { render }: PaymentPageParts, { link, state }: Closed) {
  return render(c, link, ({ closed }) => ({
    title: closed[state].title,
    body: <ClosedPage link={link} state={state} />,
    status: CLOSED_STATUS[state],
  }))
}
