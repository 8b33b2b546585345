// Boletos in production, ordered and paid at the simulated Inter while the process of both is
// killed.
import { expect } from '@playwright/test'
import type { CofreProcess, Ports } from './cofre-process.js'
import { OrdersAtAKill, bookLines, unlessCutOff } from './orders-at-a-kill.js'
import { openSimulatorPage } from './simulator-page.js'

interface BookedBoleto {
  readonly code: string
  readonly terms: { readonly valorNominal: number }
  readonly situation: string
}

/** Acts of shops and payers before kills, and the required outcome. */
export class BoletosAtAKill {
  readonly #ports: Ports
  readonly #orders: OrdersAtAKill
  #payments = 0

  constructor(ports: Ports, notificationUrl: string) {
    this.#ports = ports
    this.#orders = new OrdersAtAKill({ ports, method: 'boleto', notificationUrl })
  }

  get acknowledged(): number {
    return this.#orders.acknowledged.size
  }

  /** Shops order boletos, and payers pay earlier ones, until the process is killed. */
  async run(isOver: () => boolean, cofre: CofreProcess): Promise<void> {
    await Promise.all([this.#pay(cofre), this.#orders.run(isOver)])
  }

  async #pay(cofre: CofreProcess): Promise<void> {
    await unlessCutOff(async () => {
      const post = await openSimulatorPage(`http://127.0.0.1:${this.#ports.inter}`)
      for (const { code, situation, terms } of booksOf(cofre)) {
        if (situation !== 'A_RECEBER' || !this.#orders.acknowledged.has(terms.valorNominal))
          continue
        this.#payments += 1
        await post(`/boletos/${code}/pay`, { way: this.#payments % 2 === 0 ? 'line' : 'pix' })
      }
    })
  }

  /**
   * After the last kill: each acknowledged order has one boleto, which is paid, and its transaction
   * is COMPLETE; other orders have no payable boleto. Resolves to the number of paid boletos.
   */
  async expectOnce(cofre: CofreProcess, timeout: number): Promise<string> {
    await this.#orders.expectAnswers(timeout)
    await this.#pay(cofre)
    const amountsThatAre = (...situations: readonly string[]): readonly number[] =>
      booksOf(cofre)
        .filter(({ situation }) => situations.includes(situation))
        .map(({ terms }) => terms.valorNominal)
        .toSorted()
    const paid = amountsThatAre('RECEBIDO')
    expect(paid).toEqual([...this.#orders.acknowledged.keys()].toSorted())
    await expect
      .poll(() => amountsThatAre('EM_PROCESSAMENTO', 'A_RECEBER'), { timeout })
      .toEqual([])
    const merchant = this.#orders.merchant()
    for (const code of this.#orders.acknowledged.values())
      await expect
        .poll(async () => (await merchant.findTransaction(code)).status, { timeout })
        .toBe('COMPLETE')
    return `${paid.length} boletos issued and paid once`
  }
}

/** The latest state of each boleto at the bank. */
function booksOf(cofre: CofreProcess): readonly BookedBoleto[] {
  const boletos = new Map<string, BookedBoleto>()
  const lines = bookLines(cofre, 'inter') as readonly { readonly boleto?: BookedBoleto }[]
  for (const { boleto } of lines) if (boleto !== undefined) boletos.set(boleto.code, boleto)
  return [...boletos.values()]
}
