// Boletos of production that are ordered and paid at the simulated Inter while the process of both
// is killed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import type { CofreProcess, Ports } from './cofre-process.js'
import { bankOrder } from './orders.js'
import { merchantAt } from './shop-request.js'
import { openSimulatorPage } from './simulator-page.js'

const BUYERS = 3
/** No order has another's amount: by it a boleto is told in the bank's books. */
const LEAST_CENTS = 1000

interface BookedBoleto {
  readonly code: string
  readonly terms: { readonly valorNominal: number }
  readonly situation: string
}

/** What shops and payers do before kills, and what must have come of it. */
export class BoletosAtAKill {
  readonly #ports: Ports
  readonly #notificationUrl: string
  /** Transaction by amount in centavos, of every boleto that was acknowledged. */
  readonly #acknowledged = new Map<number, string>()
  /** Orders without an answer: their shop sends them again. */
  readonly #unanswered = new Set<number>()
  #orders = 0
  #payments = 0

  constructor(ports: Ports, notificationUrl: string) {
    this.#ports = ports
    this.#notificationUrl = notificationUrl
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  /** Shops order boletos, and payers pay those of before, until the process dies under them. */
  async run(isOver: () => boolean, cofre: CofreProcess): Promise<void> {
    const again = [...this.#unanswered]
    const buy = async (): Promise<void> => {
      while (!isOver()) await this.#order(again.pop() ?? LEAST_CENTS + ++this.#orders)
    }
    await Promise.all([this.#pay(cofre), ...Array.from({ length: BUYERS }, buy)])
  }

  async #order(cents: number): Promise<void> {
    const merchant = merchantAt(this.#ports.api, { timeoutMs: 20_000 })
    const reference = `crash-boleto-${cents}`
    const notificationUrl = this.#notificationUrl
    const order = bankOrder('boleto', cents / 100, { reference, notificationUrl, payer: cents })
    this.#unanswered.add(cents)
    try {
      const { transaction } = await merchant.createTransaction(order, { idempotencyKey: reference })
      // One that a kill has cut off is given up, unless its shop is fast.
      if (transaction.status === 'PENDING') this.#acknowledged.set(cents, transaction.code)
      this.#unanswered.delete(cents)
    } catch (error) {
      if (!(error instanceof MerchantConnectionError || error instanceof MerchantApiError))
        throw error
    }
  }

  /** What the kill cuts off was booked, or was not: the books say it. */
  async #pay(cofre: CofreProcess): Promise<void> {
    try {
      const post = await openSimulatorPage(`http://127.0.0.1:${this.#ports.inter}`)
      for (const { code, situation, terms } of booksOf(cofre)) {
        if (situation !== 'A_RECEBER' || !this.#acknowledged.has(terms.valorNominal)) continue
        this.#payments += 1
        await post(`/boletos/${code}/pay`, { way: this.#payments % 2 === 0 ? 'line' : 'pix' })
      }
    } catch (error) {
      // Fetch's, for a connection that ends.
      if (!(error instanceof TypeError)) throw error
    }
  }

  /**
   * With nobody left to kill it: each acknowledged order has one boleto, which is paid, and its
   * transaction is complete; of other orders there is none that could be paid. Resolves to how many
   * there are.
   */
  async expectOnce(cofre: CofreProcess, timeout: number): Promise<string> {
    // A request that was under way at a kill is so for a minute.
    await expect(async () => {
      await Promise.all([...this.#unanswered].map((cents) => this.#order(cents)))
      expect([...this.#unanswered]).toEqual([])
    }).toPass({ timeout, intervals: [5000] })
    await this.#pay(cofre)
    const amountsThatAre = (...situations: readonly string[]): readonly number[] =>
      booksOf(cofre)
        .filter(({ situation }) => situations.includes(situation))
        .map(({ terms }) => terms.valorNominal)
        .toSorted()
    const paid = amountsThatAre('RECEBIDO')
    expect(paid).toEqual([...this.#acknowledged.keys()].toSorted())
    await expect
      .poll(() => amountsThatAre('EM_PROCESSAMENTO', 'A_RECEBER'), { timeout })
      .toEqual([])
    const merchant = merchantAt(this.#ports.api, { timeoutMs: 20_000 })
    for (const code of this.#acknowledged.values())
      await expect
        .poll(async () => (await merchant.findTransaction(code)).status, { timeout })
        .toBe('COMPLETE')
    return `${paid.length} boletos issued and paid once`
  }
}

/** Each boleto as the bank last had it. */
function booksOf({ dataDir }: CofreProcess): readonly BookedBoleto[] {
  const file = path.join(dataDir, 'simulators', 'inter', 'books.jsonl')
  const lines = readFileSync(file, 'utf8').split('\n').slice(1, -1)
  const boletos = new Map<string, BookedBoleto>()
  for (const line of lines) {
    const { boleto } = JSON.parse(line) as { readonly boleto?: BookedBoleto }
    if (boleto !== undefined) boletos.set(boleto.code, boleto)
  }
  return [...boletos.values()]
}
