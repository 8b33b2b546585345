import { paymentStatusOf } from '@cofre/gateway/room'
import { type FoundTry, tryStateOf, waitsForPayer } from '../model/link-try.js'
import { linkPath } from '../model/payment-link.js'
import type { LinkWithTries } from '../model/payment-links.js'
import { fill } from '@cofre/pages'
import {
  type ActorNames,
  LinkBadge,
  TryBadge,
  creatorText,
  chargeOf,
  methodName,
  methodNames,
} from './link-parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import {
  Copyable,
  Facts,
  Time,
  formatLanguage,
  formatMoney,
  qrPicture,
  useTexts,
  useView,
} from '@cofre/panel/page'

interface LinkPageProps extends LinkWithTries {
  readonly names: ActorNames
  /** Origin of the payment page. */
  readonly apiUrl: string
}

export function LinkHeading({ link, state }: Pick<LinkWithTries, 'link' | 'state'>) {
  const { at, language } = useView()
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return (
    <>
      <p class="minor">
        <a href={at('/payment-links')}>{texts.all}</a>
      </p>
      <header class="page-head actions">
        <h1>
          <span class="visually-hidden">{texts.one} </span>
          {link.reference}
        </h1>
        <LinkBadge state={state} />
        <strong class="number end">{formatMoney(link.amountMinor, language)}</strong>
      </header>
    </>
  )
}

/** A link's actions, facts and tries. */
export function LinkPage(props: LinkPageProps) {
  const { link, state, tries, apiUrl } = props
  const { at, may } = useView()
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  const isStillOpen = state === 'revoked' && tries.some((found) => waitsForPayer(tryStateOf(found)))
  const mayRevoke = state === 'payable' && may('payment-links:write')
  return (
    <div class="columns">
      <div class="stack">
        {state === 'payable' ? (
          <Share address={`${apiUrl}${linkPath(link.id)}`} />
        ) : (
          <section class="card">
            <p>{texts.ended[state]}</p>
            {isStillOpen && <p>{texts.stillOpen}</p>}
          </section>
        )}
        <Tries tries={tries} />
        {mayRevoke && (
          <p>
            <a class="button quiet" href={at(`/payment-links/${link.id}/revoke`)}>
              {texts.revoke.title}
            </a>
          </p>
        )}
      </div>
      <LinkFacts {...props} />
    </div>
  )
}

function Share({ address }: { readonly address: string }) {
  const {
    address: label,
    open,
    qrAlt,
    share,
    shareText,
  } = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return (
    <section class="card">
      <h2>{share}</h2>
      <p>{shareText}</p>
      <div class="pix">
        <img src={qrPicture(address)} alt={qrAlt} width={176} height={176} />
        <Copyable id="link-address" text={address} label={label} block />
      </div>
      <p>
        <a href={address} target="_blank" rel="noopener noreferrer">
          {open}
        </a>
      </p>
    </section>
  )
}

function LinkFacts({ link, names, apiUrl, state }: LinkPageProps) {
  const view = useView()
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links']
  const { columns, installments } = texts
  const { expiresAtMs, revokedAtMs, revokedBy } = link
  const isByCard = link.methods.includes('credit-card')
  const revoked = revokedBy !== undefined && creatorText(revokedBy, names, view)
  return (
    <section class="card">
      <h2>{texts.data}</h2>
      <Facts
        facts={[
          [columns.description, link.description],
          [columns.methods, methodNames(link.methods, view)],
          [
            texts.create.labels.installments,
            isByCard &&
              (link.installments === 1
                ? installments.once
                : fill(installments.upTo, { count: link.installments })),
          ],
          [columns.charge, link.isCapturedLater && texts.charges[chargeOf(link)]],
          [columns.usage, texts.usages[link.usage]],
          [
            columns.expires,
            expiresAtMs === undefined ? texts.neverExpires : <Time ms={expiresAtMs} />,
          ],
          [columns.created, <Time ms={link.createdAtMs} />],
          [columns.createdBy, creatorText(link.createdBy, names, view)],
          [texts.revokedAt, revokedAtMs !== undefined && <Time ms={revokedAtMs} />],
          [texts.revokedBy, revoked],
          [texts.create.labels['notification-url'], <code>{link.notificationUrl}</code>],
          [
            texts.create.labels['success-url'],
            link.successUrl !== undefined && <code>{link.successUrl}</code>,
          ],
          [texts.create.labels.language, formatLanguage(link.language, view.language)],
          [columns.address, state !== 'payable' && <code>{`${apiUrl}${linkPath(link.id)}`}</code>],
        ]}
      />
    </section>
  )
}

function Tries({ tries }: Pick<LinkWithTries, 'tries'>) {
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return (
    <section class="card">
      <h2>{texts.columns.tries}</h2>
      {tries.length === 0 ? (
        <p class="hint">{texts.noTries}</p>
      ) : (
        <table class="list" aria-label={texts.columns.tries}>
          <thead>
            <tr>
              <th scope="col">{texts.payment}</th>
              <th scope="col">{texts.columns.state}</th>
              <th scope="col">{texts.method}</th>
              <th scope="col">{texts.date}</th>
            </tr>
          </thead>
          <tbody>
            {tries.map((found) => (
              <TryRow {...found} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function TryRow(found: FoundTry) {
  const view = useView()
  const texts = PAYMENT_LINK_TEXTS[view.language]['payment-links']
  const { linkTry, transaction } = found
  const { reference, method, createdAtMs } = linkTry
  return (
    <tr>
      <th scope="row" data-label={texts.payment}>
        {transaction === undefined ? (
          reference
        ) : (
          <a class="row-link" href={view.at(`/payments/${transaction.code}`)}>
            {reference}
          </a>
        )}
      </th>
      <td data-label={texts.columns.state}>
        <TryBadge state={tryStateOf(found)} />{' '}
        {transaction !== undefined && <code class="minor">{paymentStatusOf(transaction)}</code>}
      </td>
      <td data-label={texts.method}>{methodName(method, view)}</td>
      <td data-label={texts.date}>
        <Time ms={createdAtMs} />
      </td>
    </tr>
  )
}
