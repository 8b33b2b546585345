import { LINK_STATES, type LinkState, type ListedLink } from '../model/payment-link.js'
import { Notice, fill } from '@cofre/pages'
import { type ActorNames, LinkBadge, creatorText, methodNames } from './link-parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import { Time, formatCount, formatMoney, useTexts, useView } from '@cofre/panel/page'

export function readState(text: string | undefined): LinkState | undefined {
  return LINK_STATES.find((known) => known === text)
}

interface LinkListProps {
  readonly items: readonly ListedLink[]
  /** The filter of the list. */
  readonly state: LinkState | undefined
  readonly names: ActorNames
}

export function LinkList({ items, state, names }: LinkListProps) {
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  if (items.length === 0 && state === undefined)
    return (
      <Notice {...texts.empty}>
        <NewLink />
      </Notice>
    )
  return (
    <>
      <NewLink />
      <StateFilter state={state} />
      {items.length === 0 ? (
        <Notice {...texts.noneOfState} />
      ) : (
        <LinkTable items={items} names={names} />
      )}
    </>
  )
}

function StateFilter({ state }: Pick<LinkListProps, 'state'>) {
  const { at } = useView()
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return (
    <nav class="menu" aria-label={texts.filter}>
      {[undefined, ...LINK_STATES].map((one) => (
        <a
          href={at(one === undefined ? '/payment-links' : `/payment-links?state=${one}`)}
          aria-current={one === state ? 'true' : undefined}
        >
          {one === undefined ? texts.anyState : texts.states[one]}
        </a>
      ))}
    </nav>
  )
}

function NewLink() {
  const { at, may } = useView()
  const texts = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return may('payment-links:write') ? (
    <p>
      <a class="button" href={at('/payment-links/new')}>
        {texts.create.title}
      </a>
    </p>
  ) : null
}

function LinkTable({ items, names }: Pick<LinkListProps, 'items' | 'names'>) {
  const { columns, title } = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return (
    <table class="list card" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{columns.reference}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col" class="number">
            {columns.amount}
          </th>
          <th scope="col">{columns.methods}</th>
          <th scope="col">{columns.tries}</th>
          <th scope="col">{columns.created}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <LinkRow item={item} names={names} />
        ))}
      </tbody>
    </table>
  )
}

interface LinkRowProps extends Pick<LinkListProps, 'names'> {
  readonly item: ListedLink
}

function LinkRow({ item: { link, state, tries, paid }, names }: LinkRowProps) {
  const view = useView()
  const { charges, columns, paidOf, usages } = PAYMENT_LINK_TEXTS[view.language]['payment-links']
  const count = (number: number) => formatCount(number, view.language)
  return (
    <tr>
      <th scope="row" data-label={columns.reference}>
        <a class="row-link" href={view.at(`/payment-links/${link.id}`)}>
          {link.reference}
        </a>{' '}
        <span class="minor">{link.description}</span>
      </th>
      <td data-label={columns.state}>
        <LinkBadge state={state} /> <span class="minor">{usages[link.usage]}</span>
      </td>
      <td class="number" data-label={columns.amount}>
        {formatMoney(link.amountMinor, view.language)}
      </td>
      <td data-label={columns.methods}>
        {methodNames(link.methods, view)}
        {link.isCapturedLater && <span class="minor"> {charges.later}</span>}
      </td>
      <td data-label={columns.tries}>
        {tries === 0
          ? view.texts.frame.none
          : fill(paidOf, { paid: count(paid), tries: count(tries) })}
      </td>
      <td data-label={columns.created}>
        <Time ms={link.createdAtMs} />{' '}
        <span class="minor">{creatorText(link.createdBy, names, view)}</span>
      </td>
    </tr>
  )
}
