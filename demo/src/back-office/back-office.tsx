import { FormField, fill, readForm } from '@cofre/pages'
import { Hono } from 'hono'
import type { CartLine } from '../model/cart.js'
import type { Order } from '../model/order.js'
import { renderPage } from '../page/layout.js'
import { useView } from '../page/view.js'
import type { ShopEnv } from '../page/visitor.js'
import { type EndOutcome, cancelOrder, shipOrder } from '../payment/ship-order.js'
import { type Shop, findOrder } from '../payment/shop.js'

const BACK_OFFICE = '/back-office'
const DONE: readonly string[] = ['captured', 'cancelled', 'in-process'] satisfies EndOutcome[]

/** The orders to ship. A real shop shows this page to its staff only. */
export function backOfficeRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get(BACK_OFFICE, (c) => {
    const { order = '', outcome = '' } = c.req.query()
    const waiting = [...shop.orders.values()].filter(({ state }) => state === 'reserved')
    const body = <BackOffice waiting={waiting} ended={findOrder(shop, order)} outcome={outcome} />
    return renderPage(c, { title: c.var.texts.backOffice.title, body })
  })

  app.post(`${BACK_OFFICE}/:key`, async (c) => {
    const form = await readForm(c)
    const order = findOrder(shop, c.req.param('key'))
    // Only an amount that was reserved can be charged or released here.
    if (order?.chargedCentavos === undefined) return c.notFound()
    const outcome = await endOrder(shop, order, form)
    if (outcome === undefined) return c.notFound()
    return c.redirect(`${BACK_OFFICE}?order=${order.reference}&outcome=${outcome}`, 303)
  })

  return app
}

type Form = ReadonlyMap<string, string>

async function endOrder(shop: Shop, order: Order, form: Form): Promise<EndOutcome | undefined> {
  switch (form.get('act') ?? '') {
    case 'ship':
      return await shipOrder(shop, order, order.lines)
    case 'ship-part': {
      const goods = chosenGoods(order, form)
      return goods.length === 0 ? 'nothing-chosen' : await shipOrder(shop, order, goods)
    }
    case 'cancel':
      return await cancelOrder(shop, order)
    default:
      return undefined
  }
}

/** The goods that leave; none if the form is not this page's. */
function chosenGoods({ lines }: Order, form: Form): readonly CartLine[] {
  const goods = lines.map(({ product }) => ({
    product,
    quantity: Number(form.get(product.slug) ?? NaN),
  }))
  const isOffered = goods.every(({ quantity }, i) => quantitiesOf(lines[i]).includes(quantity))
  return isOffered ? goods.filter(({ quantity }) => quantity > 0) : []
}

function quantitiesOf(line: CartLine | undefined): readonly number[] {
  return line === undefined ? [] : [...Array(line.quantity + 1).keys()]
}

interface BackOfficeProps {
  readonly waiting: readonly Order[]
  /** The order of the last request, and its outcome. */
  readonly ended: Order | undefined
  readonly outcome: string
}

function BackOffice({ waiting, ended, outcome }: BackOfficeProps) {
  const { backOffice, order: orderTexts } = useView().texts
  const text = new Map<string, string>(Object.entries(backOffice.outcomes)).get(outcome)
  const isDone = DONE.includes(outcome)
  return (
    <div class="frame narrow stack">
      <h1>{backOffice.title}</h1>
      <p class="demo-hint">{backOffice.text}</p>
      {ended?.code !== undefined && text !== undefined && (
        <p class={isDone ? 'card' : 'problem'} role={isDone ? 'status' : 'alert'}>
          {fill(orderTexts.title, { code: ended.code })}: {text}
        </p>
      )}
      {waiting.length === 0 && <p>{backOffice.none}</p>}
      {waiting.map((order) => (
        <WaitingOrder order={order} />
      ))}
    </div>
  )
}

function WaitingOrder({ order }: { readonly order: Order }) {
  const { texts, language, money, time } = useView()
  const { code = '', lines, placedAtMs, totalCentavos } = order
  return (
    <form
      class="card stack"
      method="post"
      action={`${BACK_OFFICE}/${code}`}
      data-testid={`ship-${code}`}
    >
      <div class="row">
        <h2>{fill(texts.order.title, { code })}</h2>
        <span class="price number">{money(totalCentavos)}</span>
      </div>
      <p class="hint">{time(placedAtMs)}</p>
      <div class="fields">
        {lines.map((line) => (
          <FormField
            id={`${code}-${line.product.slug}`}
            name={line.product.slug}
            label={line.product.texts[language].name}
            autocomplete="off"
            value={String(line.quantity)}
            options={Object.fromEntries(quantitiesOf(line).map((one) => [one, String(one)]))}
          />
        ))}
      </div>
      <div class="actions">
        {Object.entries(texts.backOffice.acts).map(([act, text]) => (
          <button class={act === 'ship' ? undefined : 'quiet'} name="act" value={act}>
            {text}
          </button>
        ))}
      </div>
    </form>
  )
}
