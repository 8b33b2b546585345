import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, openTestAdyen, paymentOf } from './adyen.fixture.js'
import { exchange } from './card-acquirer.fixture.js'
import { openTestCielo, saleOf } from './cielo.fixture.js'
import { temporaryFolder } from './pix-bank.fixture.js'

const ACQUIRERS = fileURLToPath(new URL('../test/acquirers.mjs', import.meta.url))
const KILLS = 5

interface Place {
  readonly port: number
  readonly queryPort: number
  readonly ca: string
  readonly headers: Readonly<Record<string, string>>
}

/** Acquirers in a process that a test kills and starts again. */
function createAcquirers(folder: string) {
  let running: ChildProcess | undefined
  let places: Promise<readonly unknown[]> | undefined
  return {
    /** They are started where they do not run. */
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

/** Undefined where no answer came. */
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

describe('acquirers that are killed while they are asked', () => {
  let folder: string
  let remove: () => Promise<void>
  let acquirers: ReturnType<typeof createAcquirers>
  beforeAll(async () => {
    ;({ folder, remove } = await temporaryFolder())
    acquirers = createAcquirers(folder)
  })
  afterAll(async () => {
    await acquirers.kill()
    await remove()
  })
  /** Kills them at another moment of a call each time; what the call is must be asked again. */
  const killDuring = async (killing: number, work: () => Promise<unknown>) => {
    const asked = work()
    await setTimeout(killing)
    await acquirers.kill()
    return await asked
  }

  it('charge and refund once at Adyen, under one key', async () => {
    const said: (readonly [string, string])[] = []
    const ask = async (request: Parameters<typeof send>[1]) =>
      send((await acquirers.places()).adyen, request)
    for (let order = 0; order < KILLS; order++) {
      const reference = `order-${order}`
      const pay = () =>
        ask({ method: 'POST', path: '/v72/payments', body: paymentOf(reference), key: reference })
      await acquirers.places()
      const first = (await killDuring(order * 3, pay)) as Awaited<ReturnType<typeof pay>>
      const { text, json } = (await pay()) ?? { text: '', json: undefined }
      if (first !== undefined) expect(first.text).toBe(text)
      const { pspReference } = json as { pspReference: string }
      const refund = () =>
        ask({
          method: 'POST',
          path: `/v72/payments/${pspReference}/refunds`,
          body: { merchantAccount: MERCHANT, amount: { currency: 'BRL', value: 1_000 } },
          key: `refund-${order}`,
        })
      await killDuring(order * 3, refund)
      await refund()
      said.push([reference, pspReference])
    }
    await acquirers.kill()
    const adyen = await openTestAdyen({ folder: path.join(folder, 'adyen') })
    for (const [reference, pspReference] of said) {
      const once = { attempts: 1, charges: 1, refunds: 1, refundedMinor: 1_000 }
      expect(adyen.adyen.tallyOf(reference)).toMatchObject(once)
      const events = adyen.adyen.controls.eventsOf(pspReference)
      expect(events.map(({ eventCode }) => eventCode)).toEqual(['AUTHORISATION', 'REFUND'])
    }
    await adyen.close()
  })

  it('charge once at Cielo, where the order is looked for first', async () => {
    const place = async () => (await acquirers.places()).cielo
    for (let order = 0; order < KILLS; order++) {
      const reference = `order${order}`
      await acquirers.places()
      const sell = async () =>
        send(await place(), { method: 'POST', path: '/1/sales', body: saleOf(reference) })
      await killDuring(order * 3, sell)
      const at = await place()
      const query = { method: 'GET', path: `/1/sales?merchantOrderId=${reference}` }
      const found = await send({ ...at, port: at.queryPort }, query)
      if (found?.status === 404) await sell()
    }
    await acquirers.kill()
    const cielo = await openTestCielo({ folder: path.join(folder, 'cielo') })
    for (let order = 0; order < KILLS; order++) {
      const once = { attempts: 1, charges: 1, refunds: 0 }
      expect(cielo.cielo.tallyOf(`order${order}`)).toMatchObject(once)
    }
    await cielo.close()
  })
})
