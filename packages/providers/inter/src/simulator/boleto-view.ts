// Inter's view of boletos: one, a page of them, and a notice.
import { formatAmount } from '@cofre/contracts'
import { type BankAccount, isOf, isoTime, copyAndPaste } from '@cofre/pix-api/simulator-parts'
import type { Boleto, InterBook } from './book.js'
import { brasiliaDate } from './calendar.js'
import type { ListQuery } from './wire.js'

export function renderBoleto(boleto: Boleto) {
  const { terms, received, codes, cancelReason } = boleto
  const { multa, mora, desconto } = terms
  return {
    cobranca: {
      codigoSolicitacao: boleto.code,
      seuNumero: terms.seuNumero,
      dataEmissao: brasiliaDate(boleto.requestedMs),
      dataVencimento: terms.dataVencimento,
      valorNominal: Number(formatAmount(terms.valorNominal)),
      tipoCobranca: 'SIMPLES',
      situacao: boleto.situation,
      dataSituacao: brasiliaDate(boleto.changedMs),
      ...(received !== undefined && { valorTotalRecebido: formatAmount(received.amountMinor) }),
      ...(received?.origin !== undefined && { origemRecebimento: received.origin }),
      ...(cancelReason !== undefined && { motivoCancelamento: cancelReason }),
      arquivada: false,
      descontos: desconto === undefined ? [] : [desconto],
      ...(multa !== undefined && { multa }),
      ...(mora !== undefined && { mora }),
      pagador: terms.pagador,
    },
    ...(codes !== undefined && {
      boleto: {
        nossoNumero: codes.ourNumber,
        codigoBarras: codes.barcode,
        linhaDigitavel: codes.line,
      },
    }),
    ...pixOf(boleto),
  }
}

/** @returns The content of a notice about the boleto's current state. */
export function renderNotice(boleto: Boleto) {
  const { received, terms } = boleto
  const { boleto: codes, pix } = renderBoleto(boleto)
  return {
    codigoSolicitacao: boleto.code,
    seuNumero: terms.seuNumero,
    situacao: boleto.situation,
    dataHoraSituacao: isoTime(boleto.changedMs),
    ...(received !== undefined && { valorTotalRecebido: formatAmount(received.amountMinor) }),
    ...(received?.origin !== undefined && { origemRecebimento: received.origin }),
    ...codes,
    ...pix,
  }
}

export function listBoletos(book: InterBook, account: BankAccount, query: ListQuery) {
  const found = [...book.boletos.values()]
    .filter((boleto) => isOf(boleto, account) && matchesQuery(boleto, query))
    .toSorted((one, other) => one.terms.dataVencimento.localeCompare(other.terms.dataVencimento))
  const page = query['paginacao.paginaAtual']
  const size = query['paginacao.itensPorPagina']
  const ordered = query.tipoOrdenacao === 'DESC' ? found.toReversed() : found
  const cobrancas = ordered.slice(page * size, (page + 1) * size).map(renderItem)
  return {
    ...pageOf({ page, size, total: found.length }),
    tamanhoPagina: size,
    numeroDeElementos: cobrancas.length,
    cobrancas,
  }
}

/** In a list, the bank writes the amount as text. */
function renderItem(boleto: Boleto) {
  const { cobranca, ...codes } = renderBoleto(boleto)
  const valorNominal = formatAmount(boleto.terms.valorNominal)
  return { cobranca: { ...cobranca, valorNominal }, ...codes }
}

interface Paged {
  readonly page: number
  readonly size: number
  readonly total: number
}

/** Inter's facts about a page of any list. */
export function pageOf({ page, size, total }: Paged) {
  const totalPaginas = Math.ceil(total / size)
  return {
    totalPaginas,
    totalElementos: total,
    primeiraPagina: page === 0,
    ultimaPagina: page + 1 >= totalPaginas,
  }
}

export function pixCodeOf({ codes, terms, receiver }: Boleto): string | undefined {
  if (codes?.pix === undefined) return undefined
  const { location } = codes.pix
  return copyAndPaste({ location, amountMinor: terms.valorNominal, receiver })
}

function pixOf(boleto: Boleto) {
  const txid = boleto.codes?.pix?.txid
  return txid === undefined ? {} : { pix: { txid, pixCopiaECola: pixCodeOf(boleto) } }
}

function matchesQuery(boleto: Boleto, query: ListQuery): boolean {
  const { terms, situation } = boleto
  const date = dateOf(boleto, query.filtrarDataPor)
  if (date === undefined || date < query.dataInicial || date > query.dataFinal) return false
  if (query.situacao !== undefined && query.situacao !== situation) return false
  if (query.seuNumero !== undefined && query.seuNumero !== terms.seuNumero) return false
  const { cpfCnpjPessoaPagadora: document, pessoaPagadora: name } = query
  if (document !== undefined && document !== terms.pagador.cpfCnpj) return false
  return name === undefined || terms.pagador.nome.toLowerCase().includes(name.toLowerCase())
}

function dateOf(boleto: Boleto, by: ListQuery['filtrarDataPor']): string | undefined {
  if (by === 'VENCIMENTO') return boleto.terms.dataVencimento
  if (by === 'EMISSAO') return brasiliaDate(boleto.requestedMs)
  return boleto.received === undefined ? undefined : brasiliaDate(boleto.changedMs)
}
