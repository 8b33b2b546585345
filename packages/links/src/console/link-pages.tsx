import { USUAL_LANGUAGE, holdsCardNumber } from '@cofre/contracts'
import { quantityMaxOf } from '@cofre/gateway'
import {
  ALL_LINKS,
  type LinkWithTries,
  type ToldPause,
  tryStateOf,
  waitsForPayer,
} from '@cofre/links'
import { fill } from '@cofre/pages'
import { csvTime, readSeparator } from '../export/csv-format.js'
import { CsvLinks } from '../export/csv-links.js'
import { csvResponse } from '../export/csv-response.js'
import { actorOf } from '../frame/act-text.js'
import { readAmount } from '../frame/amount-field.js'
import {
  type ActionRule,
  type ConsolePages,
  type Outcome,
  done,
  refused,
} from '../frame/console-pages.js'
import { Pagination } from '../frame/pagination.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { PostForm } from '../frame/parts.js'
import { type Form, type Visit, useView } from '../frame/visit.js'
import { formatMoney } from '../frame/format.js'
import { CardPauses } from './card-pauses.js'
import { LinkForm, type LinkFormProps } from './link-form.js'
import { LinkList, readState } from './link-list.js'
import { emptyLink, linkBody, readLink } from './link-order.js'
import { LinkHeading, LinkPage } from './link-page.js'
import { actorNames, methodName } from './link-parts.js'
import { linksTable } from './links-csv.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'

const PAGE_SIZE = 20

const CREATE = {
  needs: 'payment-links:write',
  act: 'payment-link:create',
  detail: detailOf,
} as const satisfies ActionRule
const LIFT = {
  needs: 'payment-links:write',
  act: 'payment-link:lift',
} as const satisfies ActionRule
/** It cancels what is open, as the cancellation of a charge does. */
const REVOKE = {
  needs: 'payment-links:write',
  act: 'payment-link:revoke',
  stepUp: true,
} as const satisfies ActionRule

/** Links at which payers pay: the list, the form, each with its tries, and its end. */
export function paymentLinkPages(pages: ConsolePages, parts: PanelParts): void {
  listPage(pages, parts)
  createPage(pages)
  linkPage(pages, parts)
  revokePage(pages)
  liftActions(pages)
}

function listPage({ page, file }: ConsolePages, parts: PanelParts): void {
  page('/payment-links', async (visit) => {
    const { c, gateway, storeId } = visit
    const state = readState(c.req.query('state'))
    const query = { state, after: c.req.query('after'), limit: PAGE_SIZE }
    const [{ items, next }, names, pauses] = await Promise.all([
      gateway.paymentLinks.list(storeId, query),
      actorNames(parts, visit),
      gateway.paymentLinks.pauses(storeId),
    ])
    const body = (
      <>
        <CardPauses pauses={pauses} />
        <LinkList items={items} state={state} names={names} />
        <div class="row">
          <Pagination next={next} />
          {items.length > 0 && <CsvLinks />}
        </div>
      </>
    )
    return { body }
  })

  file('/payment-links.csv', async (visit) => {
    const { c, gateway, view } = visit
    const separator = readSeparator(c.req.query('separator'))
    const state = readState(c.req.query('state'))
    const names = await actorNames(parts, visit)
    const name = `${PAYMENT_LINK_TEXTS[view.language]['payment-links'].fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    const table = linksTable(visit, { state, separator, names })
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function createPage({ page, action }: ConsolePages): void {
  const at = { needs: 'payment-links:write' } as const
  page('/payment-links/new', at, async (visit) => {
    const [offer, defaults] = await Promise.all([offerOf(visit), defaultsOf(visit)])
    const nowMs = visit.gateway.clock.now()
    return formPage(visit, { typed: emptyLink({ nowMs, ...defaults, ...offer }), ...offer })
  })

  action('/payment-links/new', CREATE, createLink)
}

/** What a link of the store may offer its payers. */
async function offerOf({ gateway, storeId }: Visit) {
  const [methods, store] = await Promise.all([
    gateway.paymentLinks.methods(storeId),
    gateway.backOffice.findMerchant(storeId),
  ])
  return { methods, installmentsMax: quantityMaxOf(store ?? {}) }
}

/** What stands in the form of a new link. */
async function defaultsOf(visit: Visit) {
  const store = await visit.gateway.backOffice.findMerchant(visit.storeId)
  const notificationUrl = store?.notificationUrl ?? (await lastNotificationUrl(visit))
  return { language: store?.language ?? USUAL_LANGUAGE, notificationUrl }
}

/** Of the store's last link, else of its last payment. */
async function lastNotificationUrl({ gateway, storeId }: Visit): Promise<string> {
  const links = await gateway.paymentLinks.list(storeId, { limit: 1 })
  const [last] = links.items
  if (last !== undefined) return last.link.notificationUrl
  const payments = await gateway.payments.find(storeId, { limit: 1 })
  return payments.items[0]?.transaction.notificationUrl ?? ''
}

function formPage({ view }: Visit, form: LinkFormProps) {
  const { all, create } = PAYMENT_LINK_TEXTS[view.language]['payment-links']
  const heading = (
    <>
      <p class="minor">
        <a href={view.at('/payment-links')}>{all}</a>
      </p>
      <h1>{create.title}</h1>
      <p class="intro">{create.intro}</p>
    </>
  )
  const body = <LinkForm {...form} />
  return { title: create.title, heading, body, still: true } as const
}

async function createLink(visit: Visit, form: Form): Promise<Outcome> {
  const { access, gateway, storeId, view } = visit
  const offer = await offerOf(visit)
  const typed = readLink(form, offer.methods)
  const actor = actorOf(access)
  const result = await gateway.paymentLinks.create(storeId, { body: linkBody(typed), actor })
  if ('failures' in result)
    return { again: formPage(visit, { typed, ...offer, failures: result.failures }) }
  const { id } = result.link
  return done('link-made', { to: view.at(`/payment-links/${id}`), detail: { link: id } })
}

/** What the log has of a new link before it is made. */
function detailOf(form: Form) {
  const amountMinor = readAmount(form.get('amount') ?? '')
  return amountMinor === undefined || holdsCardNumber(String(amountMinor)) ? {} : { amountMinor }
}

function linkPage({ page }: ConsolePages, parts: PanelParts): void {
  page('/payment-links/:code', async (visit) => {
    const found = await findLink(visit)
    if (found === undefined) return undefined
    const names = await actorNames(parts, visit)
    const pauses = await pausesAt(visit, found.link.id)
    const { reference } = found.link
    return {
      title: fill(PAYMENT_LINK_TEXTS[visit.view.language]['payment-links'].titleOf, { reference }),
      heading: <LinkHeading {...found} />,
      body: (
        <>
          <CardPauses pauses={pauses} />
          <LinkPage {...found} names={names} apiUrl={visit.gateway.apiUrl} />
        </>
      ),
    }
  })
}

async function findLink({ c, gateway, storeId }: Visit): Promise<LinkWithTries | undefined> {
  const { code = '' } = c.req.param()
  return await gateway.paymentLinks.find(storeId, code)
}

function revokePage({ page, action }: ConsolePages): void {
  const at = { needs: 'payment-links:write' } as const
  page('/payment-links/:code/revoke', at, async (visit) => {
    const found = await findLink(visit)
    if (found === undefined) return undefined
    const { view } = visit
    const { reference } = found.link
    const title = fill(PAYMENT_LINK_TEXTS[view.language]['payment-links'].revoke.titleOf, {
      reference,
    })
    const heading = (
      <>
        <p class="minor">
          <a href={view.at(`/payment-links/${found.link.id}`)}>
            {fill(PAYMENT_LINK_TEXTS[view.language]['payment-links'].backTo, { reference })}
          </a>
        </p>
        <h1>{title}</h1>
      </>
    )
    return { title, heading, body: <Revocation {...found} />, still: true }
  })

  action('/payment-links/:code/revoke', REVOKE, async ({ access, c, gateway, storeId, view }) => {
    const { code = '' } = c.req.param()
    const result = await gateway.paymentLinks.revoke(storeId, code, actorOf(access))
    return result === 'revoked'
      ? done('link-revoked', { to: view.at(`/payment-links/${code}`) })
      : refused('gone', { to: view.at('/payment-links') })
  })
}

/** Of the link, and of all links of the store. */
async function pausesAt({ gateway, storeId }: Visit, id: string): Promise<readonly ToldPause[]> {
  const pauses = await gateway.paymentLinks.pauses(storeId)
  return pauses.filter(({ linkId }) => linkId === ALL_LINKS || linkId === id)
}

function liftActions({ action }: ConsolePages): void {
  const lift = async ({ c, gateway, storeId, view }: Visit): Promise<Outcome> => {
    const { code } = c.req.param()
    const isLifted = await gateway.paymentLinks.liftPause(storeId, code ?? ALL_LINKS)
    const to = view.at(code === undefined ? '/payment-links' : `/payment-links/${code}`)
    return isLifted ? done('cards-let-pay', { to }) : refused('gone', { to })
  }
  action('/payment-links/lift', LIFT, lift)
  action('/payment-links/:code/lift', LIFT, lift)
}

/** Says what becomes of an open charge before anybody ends a link. */
function Revocation({ link, state, tries }: LinkWithTries) {
  const view = useView()
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links'].revoke
  const open = tries.filter((found) => waitsForPayer(tryStateOf(found)))
  const amount = formatMoney(link.amountMinor, view.language)
  if (state !== 'payable')
    return (
      <section class="card">
        <p>{texts.impossible}</p>
      </section>
    )
  return (
    <section class="card">
      <p>{fill(texts.text, { amount })}</p>
      {open.length > 0 && (
        <ul class="bullets">
          {open.map(({ linkTry: { method, reference } }) => (
            <li>{fill(texts.open, { method: methodName(method, view), reference })}</li>
          ))}
        </ul>
      )}
      <p>{texts.charges}</p>
      <PostForm action={view.at(`/payment-links/${link.id}/revoke`)}>
        <button class="bad">{texts.confirm}</button>
      </PostForm>
    </section>
  )
}
