import { expect, test } from '@playwright/test'
import { MerchantApiError, createSandboxClient } from '@cofre/merchant'
import { type CofreProcess, STORE, freePorts, startCofre } from './cofre-process.js'
import { railOrder } from './orders.js'
import { type Receiver, startReceiver } from './receiver.js'
import { merchantAt, sandboxAt } from './shop-request.js'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

let cofre: CofreProcess
let receiver: Receiver
test.beforeEach(async () => {
  receiver = await startReceiver()
  cofre = await startCofre(await freePorts())
})
test.afterEach(async () => {
  await cofre.dispose()
  await receiver.close()
})

function clients() {
  const { sandbox } = cofre.ports
  return { merchant: merchantAt(sandbox), sandbox: sandboxAt(sandbox) }
}

test('ten minutes pass at once, and the shop that did not answer is asked again', async () => {
  const { merchant, sandbox } = clients()
  receiver.answer = 500
  const { transaction } = await merchant.createTransaction(
    railOrder('pix', { reference: 'clock-1', notificationUrl: receiver.url }),
  )
  await sandbox.advanceClock(DAY + MINUTE)
  const reported = () =>
    receiver.received.filter(({ body }) => body.includes(transaction.code)).length
  await expect.poll(reported).toBe(1)
  receiver.answer = 200
  await sandbox.advanceClock(10 * MINUTE)
  await expect.poll(reported).toBe(2)
  expect((await sandbox.clock())['ahead-seconds']).toBe(DAY + 11 * MINUTE)
})

test('an unpaid PIX code expires and an unpaid boleto is not paid, after a restart too', async () => {
  const { merchant, sandbox } = clients()
  const pix = await merchant.createTransaction(
    railOrder('pix', { reference: 'clock-pix', notificationUrl: receiver.url }),
  )
  const boleto = await merchant.createTransaction(
    railOrder('boleto', { reference: 'clock-boleto', notificationUrl: receiver.url }),
  )
  const statusOf = async (code: string) => (await merchant.findTransaction(code)).status
  await sandbox.advanceClock(DAY + MINUTE)
  await expect.poll(() => statusOf(pix.transaction.code)).toBe('EXPIRED')
  await sandbox.advanceClock(13 * DAY)
  await expect.poll(() => statusOf(boleto.transaction.code)).toBe('NOT-PAID')

  await cofre.stop()
  cofre = await startCofre(cofre.ports, { COFRE_DATA_DIR: cofre.dataDir })
  expect((await sandbox.clock())['ahead-seconds']).toBe(14 * DAY + MINUTE)
})

test('the clock takes seconds, forward only, of a store that signs', async () => {
  const { sandbox } = clients()
  for (const seconds of [0, -1, 1.5, 400 * DAY]) {
    const failure = await sandbox.advanceClock(seconds).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MerchantApiError)
    expect((failure as MerchantApiError).errors).toMatchObject([
      { code: 90201, property: 'seconds' },
    ])
  }
  const url = `http://127.0.0.1:${cofre.ports.sandbox}/sandbox/clock`
  expect((await fetch(url)).status).toBe(401)
  const production = createSandboxClient({
    baseUrl: `http://127.0.0.1:${cofre.ports.api}`,
    storeId: STORE.id,
    secret: STORE.secret,
  })
  await expect(production.clock()).rejects.toMatchObject({ status: 404 })
})
