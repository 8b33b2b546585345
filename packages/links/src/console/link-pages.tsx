import { USUAL_LANGUAGE, holdsCardNumber } from '@cofre/contracts'
import { quantityMaxOf } from '@cofre/gateway/room'
import { ALL_LINKS, type NotifiedPause } from '../model/card-pause.js'
import type { LinkWithTries } from '../model/payment-links.js'
import { tryStateOf, waitsForPayer } from '../model/link-try.js'
import { fill } from '@cofre/pages'
import { CardPauses } from './card-pauses.js'
import { LinkForm, type LinkFormProps } from './link-form.js'
import { LinkList, readState } from './link-list.js'
import { emptyLink, linkBody, readLink } from './link-order.js'
import { LinkHeading, LinkPage } from './link-page.js'
import { methodName } from './link-parts.js'
import { linksTable } from './links-csv.js'
import type { LinkParts } from './parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import {
  type ActionRule,
  type ConsolePages,
  CsvLinks,
  type Form,
  type ActionResult,
  Pagination,
  PostForm,
  type Visit,
  actorOf,
  csvResponse,
  csvTime,
  done,
  formatMoney,
  readAmount,
  readSeparator,
  refused,
  useView,
  portAt,
  staffNames,
} from '@cofre/panel/page'

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
/** Revoking cancels the open payment, like the cancellation of a charge. */
const REVOKE = {
  needs: 'payment-links:write',
  act: 'payment-link:revoke',
  stepUp: true,
} as const satisfies ActionRule

/** The pages of payment links: the list, the form, each link with its tries, and the revocation. */
export function paymentLinkPages(pages: ConsolePages, parts: LinkParts): void {
  listPage(pages, parts)
  createPage(pages, parts)
  linkPage(pages, parts)
  revokePage(pages, parts)
  liftActions(pages, parts)
}

function listPage({ page, file }: ConsolePages, parts: LinkParts): void {
  page('/payment-links', async (visit) => {
    const { c, storeId } = visit
    const state = readState(c.req.query('state'))
    const states = state && [state]
    const query = { states, after: c.req.query('after'), limit: PAGE_SIZE }
    const [{ items, next }, names, pauses] = await Promise.all([
      portAt(parts.links, visit).list(storeId, query),
      staffNames(parts, visit),
      portAt(parts.links, visit).pauses(storeId),
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
    const names = await staffNames(parts, visit)
    const name = `${PAYMENT_LINK_TEXTS[view.language]['payment-links'].fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    const table = linksTable(portAt(parts.links, visit), { visit, state, separator, names })
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function createPage({ page, action }: ConsolePages, parts: LinkParts): void {
  const at = { needs: 'payment-links:write' } as const
  page('/payment-links/new', at, async (visit) => {
    const [offer, defaults] = await Promise.all([offerOf(parts, visit), defaultsOf(parts, visit)])
    const nowMs = visit.gateway.clock.now()
    return formPage(visit, { typed: emptyLink({ nowMs, ...defaults, ...offer }), ...offer })
  })

  action('/payment-links/new', CREATE, (visit, form) => createLink(parts, visit, form))
}

/** The methods and installments that a link of the store may offer. */
async function offerOf(parts: LinkParts, visit: Visit) {
  const { gateway, storeId } = visit
  const [methods, store] = await Promise.all([
    portAt(parts.links, visit).methods(storeId),
    gateway.backOffice.findMerchant(storeId),
  ])
  return { methods, installmentsMax: quantityMaxOf(store ?? {}) }
}

/** The initial values of a new link's form. */
async function defaultsOf(parts: LinkParts, visit: Visit) {
  const store = await visit.gateway.backOffice.findMerchant(visit.storeId)
  const notificationUrl = store?.notificationUrl ?? (await lastNotificationUrl(parts, visit))
  return { language: store?.language ?? USUAL_LANGUAGE, notificationUrl }
}

/** That of the store's last link, or of its last payment. */
async function lastNotificationUrl(parts: LinkParts, visit: Visit): Promise<string> {
  const { storeId } = visit
  const links = await portAt(parts.links, visit).list(storeId, { limit: 1 })
  const [last] = links.items
  if (last !== undefined) return last.link.notificationUrl
  return (await portAt(parts.lastNotificationUrl, visit)(storeId)) ?? ''
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

async function createLink(parts: LinkParts, visit: Visit, form: Form): Promise<ActionResult> {
  const { access, storeId, view } = visit
  const offer = await offerOf(parts, visit)
  const typed = readLink(form, offer.methods)
  const actor = actorOf(access)
  const result = await portAt(parts.links, visit).create(storeId, { body: linkBody(typed), actor })
  if ('failures' in result)
    return { again: formPage(visit, { typed, ...offer, failures: result.failures }) }
  const { id } = result.link
  return done('link-made', { to: view.at(`/payment-links/${id}`), detail: { link: id } })
}

/** The audit log's detail of a link before its creation. */
function detailOf(form: Form) {
  const amountMinor = readAmount(form.get('amount') ?? '')
  return amountMinor === undefined || holdsCardNumber(String(amountMinor)) ? {} : { amountMinor }
}

function linkPage({ page }: ConsolePages, parts: LinkParts): void {
  page('/payment-links/:code', async (visit) => {
    const found = await findLink(parts, visit)
    if (found === undefined) return undefined
    const names = await staffNames(parts, visit)
    const pauses = await pausesAt(parts, visit, found.link.id)
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

async function findLink(parts: LinkParts, visit: Visit): Promise<LinkWithTries | undefined> {
  const { c, storeId } = visit
  const { code = '' } = c.req.param()
  return await portAt(parts.links, visit).find(storeId, code)
}

function revokePage({ page, action }: ConsolePages, parts: LinkParts): void {
  const at = { needs: 'payment-links:write' } as const
  page('/payment-links/:code/revoke', at, async (visit) => {
    const found = await findLink(parts, visit)
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

  action('/payment-links/:code/revoke', REVOKE, async (visit) => {
    const { access, c, storeId, view } = visit
    const { code = '' } = c.req.param()
    const result = await portAt(parts.links, visit).revoke(storeId, code, actorOf(access))
    return result === 'revoked'
      ? done('link-revoked', { to: view.at(`/payment-links/${code}`) })
      : refused('gone', { to: view.at('/payment-links') })
  })
}

/** The pauses of the link, and of all links of the store. */
async function pausesAt(
  parts: LinkParts,
  visit: Visit,
  id: string,
): Promise<readonly NotifiedPause[]> {
  const pauses = await portAt(parts.links, visit).pauses(visit.storeId)
  return pauses.filter(({ linkId }) => linkId === ALL_LINKS || linkId === id)
}

function liftActions({ action }: ConsolePages, parts: LinkParts): void {
  const lift = async (visit: Visit): Promise<ActionResult> => {
    const { c, storeId, view } = visit
    const { code } = c.req.param()
    const isLifted = await portAt(parts.links, visit).liftPause(storeId, code ?? ALL_LINKS)
    const to = view.at(code === undefined ? '/payment-links' : `/payment-links/${code}`)
    return isLifted ? done('cards-let-pay', { to }) : refused('gone', { to })
  }
  action('/payment-links/lift', LIFT, lift)
  action('/payment-links/:code/lift', LIFT, lift)
}

/** The revocation of a link, with its effect on an open charge. */
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
