import { fill } from '@cofre/pages'
import { FindableList, PostForm, Time } from '@cofre/provider-kit/simulator'
import type { Charge, ChargeStatus } from '../book.js'
import { expiryOf, lastOf } from '../charges.js'
import { amountOf } from '../wire/wire.js'
import { type View, money } from './view.js'

interface ListProps {
  readonly view: View
  readonly charges: readonly Charge[]
}

export function ChargeList({ view, charges }: ListProps) {
  const texts = view.texts.charges
  return (
    <FindableList
      id="charges"
      texts={texts}
      when={texts.created}
      rows={charges.map((charge) => (
        <ChargeRow view={view} charge={charge} />
      ))}
    />
  )
}

export interface ChargeProps {
  readonly view: View
  readonly charge: Charge
}

function ChargeRow({ view, charge }: ChargeProps) {
  const texts = view.texts.charges
  const { terms, status } = lastOf(charge)
  const title = titleOf(view, charge)
  return (
    <tr>
      <th scope="row" data-label={texts.name}>
        <a href={addressOf(charge)}>
          {title}
          {terms.solicitacaoPagador !== undefined && `, ${terms.solicitacaoPagador}`}
        </a>
      </th>
      <td data-label={texts.created}>
        <Time view={view} ms={charge.createdMs} />
      </td>
      <td data-label={texts.status}>
        <ChargeBadge view={view} charge={charge} />
      </td>
      <td>
        {status === 'ATIVA' && (
          <PostForm view={view} action={`${addressOf(charge)}/pay`}>
            <button class="quiet" aria-label={`${texts.pay}: ${title}`}>
              {texts.pay}
            </button>
          </PostForm>
        )}
      </td>
    </tr>
  )
}

export function titleOf(view: View, charge: Charge): string {
  const amount = money(view, amountOf(lastOf(charge).terms.valor.original))
  return fill(view.texts.charges.charge, { amount })
}

/** The address of a charge's page: shops may link to it. */
export function addressOf({ txid }: Pick<Charge, 'txid'>): string {
  return `/charges/${txid}`
}

const COLOURS = {
  ATIVA: 'waiting',
  CONCLUIDA: 'good',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'bad',
  REMOVIDA_PELO_PSP: 'bad',
} as const satisfies Record<ChargeStatus, string>

/** Expiry is not a status at the bank, but useful for people. */
export function ChargeBadge({ view, charge }: ChargeProps) {
  const { expired, statuses } = view.texts.charges
  const { status } = lastOf(charge)
  const text = isExpired(view, charge) ? expired : statuses[status]
  return <span class={`badge ${COLOURS[status]}`}>{text}</span>
}

export function isExpired({ nowMs }: View, charge: Charge): boolean {
  return lastOf(charge).status === 'ATIVA' && expiryOf(charge) < nowMs
}
