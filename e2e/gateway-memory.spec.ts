import process from 'node:process'
import { expect, test } from '@playwright/test'
import { MARKED_CARD } from './card-data-search.js'
import { freePorts } from './cofre-process.js'
import { INSPECTABLE, heapSnapshot, textsInMemory } from './process-memory.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { startStandAlone } from './shape.js'

const { number, cvv } = MARKED_CARD
/**
 * As in a card's JSON, escaped or not: any Node process holds nearly every four-digit number as a
 * text.
 */
const CVV = [`"cvv":"${cvv}`, `"cvv\\":\\"${cvv}`]
const PAYMENTS = 20
/** Delay until the gateway queries a payment with an unknown outcome. */
const ASKS_AFTER_MS = 120_000

test('the memory of a gateway with a stand-alone vault never holds a card', async () => {
  const ports = await freePorts()
  const held: (() => void)[] = []
  let holds = false
  const running = await startStandAlone(
    ports,
    {},
    {
      nodeArgs: INSPECTABLE,
      // Holds a payment's response, so that its request is alive while the memory is read.
      async beforeAnswer({ body }) {
        if (holds && body.includes('held@'))
          await new Promise<void>((resolve) => held.push(resolve))
        return 'pass'
      },
    },
  )
  const merchant = merchantAt(ports.sandbox)
  const payWithToken = async (reference: string, email: string): Promise<string> => {
    const token = await depositCard(ports, MARKED_CARD)
    const body = cardPurchase(reference, { installments: 1, token, save: true })
    const payer = { ...body.payer, email }
    return (await merchant.createTransaction({ ...body, payer })).transaction.status
  }
  /**
   * Runs the search while a payment is running, whose reference the gateway holds. If the search
   * takes longer than the gateway waits for the vault, the gateway asks for the payment's outcome.
   */
  const whileHeld = async (reference: string, look: () => void | Promise<void>): Promise<void> => {
    holds = true
    const underWay = payWithToken(reference, 'held@example.com')
    await expect.poll(() => held.length).toBe(1)
    await look()
    holds = false
    // Requests that arrived during the search are held too.
    for (const release of held.splice(0)) release()
    await underWay
    const status = async () => (await merchant.findByReference(reference))?.status
    await expect.poll(status, { timeout: 2 * ASKS_AFTER_MS }).toBe('COMPLETE')
  }
  for (let i = 1; i <= PAYMENTS; i++) {
    expect(await payWithToken(`needle-${i}`, 'maria@example.com')).toBe('PAID')
  }

  // Each search has its own payment: the gateway waits 15 s for the vault.
  await whileHeld('needle-heap', async () => {
    const texts = ['needle-heap', number, ...CVV]
    const heap = await heapSnapshot(running.cofre)
    expect(texts.filter((text) => heap.includes(text))).toEqual(['needle-heap'])
  })
  if (process.platform === 'linux') {
    await whileHeld('needle-memory', () => {
      const texts = ['needle-memory', number, ...CVV]
      expect(textsInMemory(running.cofre, texts)).toEqual(['needle-memory'])
      // The search finds a card that is present: the vault has just sent it to the acquirer.
      expect(textsInMemory(running.vault, texts)).toContain(number)
    })
  }

  const files = running.cofre.files().map(({ name }) => name)
  expect(files.filter((name) => name.startsWith('vault'))).toEqual([])
  await running.dispose()
})
