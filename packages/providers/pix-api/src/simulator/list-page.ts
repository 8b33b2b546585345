import { isoTime } from './book.js'

interface PageQuery {
  readonly inicio?: number | undefined
  readonly fim?: number | undefined
  readonly 'paginacao.paginaAtual': number
  readonly 'paginacao.itensPorPagina': number
}

/** One page of a list, with the parameters that the document requires in the answer. */
export function listPage<Item>(found: readonly Item[], query: PageQuery) {
  const {
    inicio,
    fim,
    'paginacao.paginaAtual': paginaAtual,
    'paginacao.itensPorPagina': itensPorPagina,
    ...filters
  } = query
  const first = paginaAtual * itensPorPagina
  return {
    items: found.slice(first, first + itensPorPagina),
    parametros: {
      ...filters,
      ...(inicio !== undefined && { inicio: isoTime(inicio) }),
      ...(fim !== undefined && { fim: isoTime(fim) }),
      paginacao: {
        paginaAtual,
        itensPorPagina,
        // An empty list has one page, by the document's minimum.
        quantidadeDePaginas: Math.max(1, Math.ceil(found.length / itensPorPagina)),
        quantidadeTotalDeItens: found.length,
      },
    },
  }
}
