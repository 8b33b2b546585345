// Long: kills and restarts acquirers repeatedly.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, openTestAdyen, paymentOf } from '../../adyen/test/simulated-adyen.js'
import { exchange } from '../../../provider-kit/test/card-acquirer.js'
import { openTestCielo, saleOf } from '../../cielo/test/simulated-cielo.js'
import { temporaryFolder } from '../../../provider-kit/test/simulator-parts.js'

const ACQUIRERS = fileURLToPath(new URL('../test/simulated-acquirers.mjs', import.meta.url))
const KILLS = 5

interface Place {
  readonly port: number
  readonly queryPort: number
  readonly ca: string
  readonly headers: Readonly<Record<string, string>>
}

/** Acquirers in a process that a test kills and restarts. */
function createAcquirers(folder: string) {
  let running: ChildProcess | undefined
  let places: Promise<readonly unknown[]> | undefined
  return {
    /** Starts the acquirers unless they run. */
    async places() {
      running ??= fork(ACQUIRERS, [folder, MERCHANT])
      places ??= once(running, 'message')
      const [said] = await places
      return said as Readonly<Record<'adyen' | 'cielo', Place>>
    },
    async kill() {
      const ended = running && once(running, 'exit')
      running?.kill('SIGKILL')
      await ended
      running = places = undefined
    },
  }
}

/** Undefined if no answer came. */
async function send(
  { port, ca, headers }: Place,
  { method, path: at, body, ...own }: { method: string; path: string; body?: object; key?: string },
) {
  const all = {
    ...headers,
    'Content-Type': 'application/json',
    ...(own.key !== undefined && { 'Idempotency-Key': own.key }),
  }
  const call = { port, ca, method, path: at, headers: all }
  return await exchange(call, body && JSON.stringify(body)).catch(() => undefined)
}

/** A shop's requests to both, repeated if no answer came. */
function createShop(acquirers: ReturnType<typeof createAcquirers>) {
  const adyen = async (path: string, body: object, key: string) =>
    send((await acquirers.places()).adyen, { method: 'POST', path, body, key })
  const cielo = async () => (await acquirers.places()).cielo
  return {
    pay: (reference: string) => adyen('/v72/payments', paymentOf(reference), reference),
    refund: (pspReference: string) => {
      const amount = { currency: 'BRL', value: 1_000 }
      const body = { merchantAccount: MERCHANT, amount }
      return adyen(`/v72/payments/${pspReference}/refunds`, body, `refund-${pspReference}`)
    },
    sell: async (reference: string) =>
      send(await cielo(), { method: 'POST', path: '/1/sales', body: saleOf(reference) }),
    findSale: async (reference: string) => {
      const at = await cielo()
      const query = { method: 'GET', path: `/1/sales?merchantOrderId=${reference}` }
      return await send({ ...at, port: at.queryPort }, query)
    },
  }
}

function pspReferenceOf(answer: Awaited<ReturnType<typeof send>>): string {
  return (answer!.json as { pspReference: string }).pspReference
}

describe('acquirers that are killed while they are asked', () => {
  let folder: string
  let remove: () => Promise<void>
  let acquirers: ReturnType<typeof createAcquirers>
  const paid: (readonly [string, string])[] = []
  const refunded: (readonly [string, string])[] = []
  const answers: (readonly [string | undefined, string | undefined])[] = []

  /**
   * Kills both at once, because a start takes long: each time at another moment of their calls, by
   * the duration of a call on this machine.
   */
  const killDuring = async (order: number) => {
    const shop = createShop(acquirers)
    await acquirers.places()
    const startedAt = performance.now()
    const pspReference = pspReferenceOf(await shop.pay(`paid-${order}`))
    const callMs = performance.now() - startedAt
    refunded.push([`paid-${order}`, pspReference])
    const reference = `order-${order}`
    const asked = Promise.all([
      shop.pay(reference),
      shop.refund(pspReference),
      shop.sell(`order${order}`),
    ])
    await setTimeout((order * callMs) / 2)
    await acquirers.kill()
    const [first] = await asked
    const again = await shop.pay(reference)
    paid.push([reference, pspReferenceOf(again)])
    answers.push([first?.text, again?.text])
    await shop.refund(pspReference)
    if ((await shop.findSale(`order${order}`))?.status === 404) await shop.sell(`order${order}`)
  }
  beforeAll(async () => {
    ;({ folder, remove } = await temporaryFolder())
    acquirers = createAcquirers(folder)
    for (let order = 0; order < KILLS; order++) await killDuring(order)
    await acquirers.kill()
  })
  afterAll(async () => {
    await acquirers.kill()
    await remove()
  })

  it('charge and refund once at Adyen, under one key', async () => {
    const adyen = await openTestAdyen({ folder: path.join(folder, 'adyen') })
    const eventsOf = (pspReference: string) =>
      adyen.adyen.controls.eventsOf(pspReference).map(({ eventCode }) => eventCode)
    expect([paid.length, refunded.length]).toEqual([KILLS, KILLS])
    for (const [reference, pspReference] of paid) {
      expect(adyen.adyen.tallyOf(reference)).toMatchObject({ attempts: 1, charges: 1, refunds: 0 })
      expect(eventsOf(pspReference)).toEqual(['AUTHORISATION'])
    }
    for (const [reference, pspReference] of refunded) {
      const once = { attempts: 1, charges: 1, refunds: 1, refundedMinor: 1_000 }
      expect(adyen.adyen.tallyOf(reference)).toMatchObject(once)
      expect(eventsOf(pspReference)).toEqual(['AUTHORISATION', 'REFUND'])
    }
    for (const [first, again] of answers) expect(first ?? again).toBe(again)
    await adyen.close()
  })

  it('charge once at Cielo, where the order is looked for first', async () => {
    const cielo = await openTestCielo({ folder: path.join(folder, 'cielo') })
    for (let order = 0; order < KILLS; order++) {
      const once = { attempts: 1, charges: 1, refunds: 0 }
      expect(cielo.cielo.tallyOf(`order${order}`)).toMatchObject(once)
    }
    await cielo.close()
  })
})
