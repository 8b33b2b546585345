/** The error types of API Pix 2.9.0 that this bank uses, with their HTTP status. */
const PROBLEMS = {
  RequisicaoInvalida: { status: 400, title: 'Requisição inválida.' },
  AcessoNegado: { status: 403, title: 'Acesso negado.' },
  NaoEncontrado: { status: 404, title: 'Não encontrado.' },
  ErroInternoDoServidor: { status: 500, title: 'Erro interno do servidor.' },
  CobNaoEncontrado: { status: 404, title: 'Cobrança não encontrada.' },
  CobOperacaoInvalida: { status: 400, title: 'Operação inválida na cobrança.' },
  CobConsultaInvalida: { status: 400, title: 'Consulta inválida de cobranças.' },
  CobVNaoEncontrada: { status: 404, title: 'Cobrança com vencimento não encontrada.' },
  CobVOperacaoInvalida: { status: 400, title: 'Operação inválida na cobrança com vencimento.' },
  CobVConsultaInvalida: {
    status: 400,
    title: 'Consulta inválida de cobranças com vencimento.',
  },
  PixNaoEncontrado: { status: 404, title: 'Pix não encontrado.' },
  PixConsultaInvalida: { status: 400, title: 'Consulta inválida de Pix.' },
  PixDevolucaoNaoEncontrada: { status: 404, title: 'Devolução não encontrada.' },
  PixDevolucaoInvalida: { status: 400, title: 'Devolução inválida.' },
  WebhookNaoEncontrado: { status: 404, title: 'Webhook não encontrado.' },
  WebhookOperacaoInvalida: { status: 400, title: 'Operação inválida no webhook.' },
  WebhookConsultaInvalida: { status: 400, title: 'Consulta inválida de webhooks.' },
} as const

export type ProblemType = keyof typeof PROBLEMS

/** The part of a request that breaks a rule, with the document's names. */
export interface Violation {
  readonly razao: string
  readonly propriedade: string
}

/** A refusal of API Pix, as in RFC 7807. */
export class PixProblem extends Error {
  readonly status: (typeof PROBLEMS)[ProblemType]['status']
  readonly body: Readonly<Record<string, unknown>>

  constructor(type: ProblemType, detail: string, violations: readonly Violation[] = []) {
    super(`${type}: ${detail}`)
    this.name = 'PixProblem'
    const { status, title } = PROBLEMS[type]
    this.status = status
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
      title,
      status,
      detail,
      ...(violations.length > 0 && { violacoes: violations }),
    }
  }
}

/** A refusal for one property. */
export function violation(type: ProblemType, propriedade: string, razao: string): PixProblem {
  return new PixProblem(type, razao, [{ razao, propriedade }])
}
