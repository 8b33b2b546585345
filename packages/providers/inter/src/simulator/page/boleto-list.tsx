import { fill } from '@cofre/pages'
import { FindableList, PostForm } from '@cofre/provider-kit/simulator'
import { dayText, money } from '@cofre/pix-api/simulator-parts'
import type { Boleto } from '../book.js'
import { isOpen } from '../boletos.js'
import type { Situation } from '../wire.js'
import type { View } from './view.js'

interface ListProps {
  readonly view: View
  readonly boletos: readonly Boleto[]
}

export function BoletoList({ view, boletos }: ListProps) {
  const texts = view.texts.boletos
  return (
    <FindableList
      id="boletos"
      texts={texts}
      when={texts.due}
      rows={boletos.map((boleto) => (
        <BoletoRow view={view} boleto={boleto} />
      ))}
    />
  )
}

export interface BoletoProps {
  readonly view: View
  readonly boleto: Boleto
}

function BoletoRow({ view, boleto }: BoletoProps) {
  const texts = view.texts.boletos
  const title = titleOf(view, boleto)
  return (
    <tr>
      <th scope="row" data-label={texts.name}>
        <a href={addressOf(boleto)}>{`${title}, ${boleto.terms.pagador.nome}`}</a>
      </th>
      <td data-label={texts.due}>{dayText(view, boleto.terms.dataVencimento)}</td>
      <td data-label={texts.status}>
        <BoletoBadge view={view} boleto={boleto} />
      </td>
      <td>
        {isOpen(boleto) && (
          <PostForm view={view} action={`${addressOf(boleto)}/pay`}>
            <button class="quiet" name="way" value="line" aria-label={`${texts.pay}: ${title}`}>
              {texts.pay}
            </button>
          </PostForm>
        )}
      </td>
    </tr>
  )
}

export function titleOf(view: View, { terms }: Boleto): string {
  return fill(view.texts.boletos.boleto, { amount: money(view, terms.valorNominal) })
}

/** The address of a boleto's page. */
export function addressOf({ code }: Pick<Boleto, 'code'>): string {
  return `/boletos/${code}`
}

const COLOURS = {
  EM_PROCESSAMENTO: 'waiting',
  A_RECEBER: 'waiting',
  ATRASADO: 'waiting',
  RECEBIDO: 'good',
  MARCADO_RECEBIDO: 'good',
  CANCELADO: 'bad',
  EXPIRADO: 'bad',
  FALHA_EMISSAO: 'bad',
} as const satisfies Record<Situation, string>

export function BoletoBadge({ view, boleto: { situation } }: BoletoProps) {
  return <span class={`badge ${COLOURS[situation]}`}>{view.texts.boletos.statuses[situation]}</span>
}
