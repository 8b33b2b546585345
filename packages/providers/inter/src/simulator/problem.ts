// Refusals of Inter's collections, in the format for clients.
import { isoTime } from '@cofre/pix-api/simulator-parts'

const TITLES = {
  400: 'Requisição inválida',
  403: 'Acesso negado',
  404: 'Cobrança não encontrada',
} as const

/** The part of a request that breaks a rule. */
export interface Violation {
  readonly razao: string
  readonly propriedade: string
}

export class InterProblem extends Error {
  readonly status: keyof typeof TITLES
  readonly violations: readonly Violation[]

  constructor(status: keyof typeof TITLES, detail: string, violations: readonly Violation[] = []) {
    super(detail)
    this.name = 'InterProblem'
    this.status = status
    this.violations = violations
  }

  bodyAt(timeMs: number): Readonly<Record<string, unknown>> {
    return {
      title: TITLES[this.status],
      detail: this.message,
      timestamp: isoTime(timeMs),
      ...(this.violations.length > 0 && { violacoes: this.violations }),
    }
  }
}

/** A client exceeds its limit of calls: the platform answers, not the collections. */
export class TooManyCalls extends Error {}
