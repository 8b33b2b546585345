import { expect, test } from '@playwright/test'
import { type CofreProcess, STORE, freePorts, startCofre } from './cofre-process.js'
import { cardOrder, railOrder } from './orders.js'
import { type Receiver, startReceiver } from './receiver.js'
import { merchantAt, sandboxAt } from './shop-request.js'

const MINUTE = 60
/** Of no table: its digits must be found nowhere. */
const OTHER_CARD = '4235647728025682'

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

test('a shop’s own tests pay a PIX code and end a refund as the bank would', async () => {
  const { merchant, sandbox } = clients()
  const { transaction } = await merchant.createTransaction(
    railOrder('pix', { reference: 'controls-1', notificationUrl: receiver.url }),
  )
  const { code } = transaction
  expect(await sandbox.setStatus(code, 'COMPLETE')).toEqual({
    'transaction-code': code,
    status: 'COMPLETE',
  })
  await expect.poll(() => receiver.received.some(({ body }) => body.includes(code))).toBe(true)
  await expect(sandbox.setStatus(code, 'PENDING')).rejects.toMatchObject({
    status: 409,
    errors: [
      { code: 90202, description: 'status_change_not_allowed: allowed are REFUNDED, CHARGEBACK' },
    ],
  })

  const refundId = await merchant.createRefund({
    'transaction-id': code,
    'notify-url': receiver.url,
    reference: 'slow-1',
  })
  expect(await sandbox.finishRefund(refundId, 'PROCESSED')).toMatchObject({ status: 'PROCESSED' })
  await expect.poll(async () => (await merchant.findTransaction(code)).status).toBe('REFUNDED')
})

test('a test card’s later outcome comes with the clock, and survives a restart', async () => {
  const { merchant, sandbox } = clients()
  const { transaction } = await merchant.createTransaction(
    cardOrder('4000000000000077', { reference: 'later-1', notificationUrl: receiver.url }),
  )
  const statusOf = async () => (await merchant.findTransaction(transaction.code)).status
  expect(await statusOf()).toBe('COMPLETE')
  await cofre.kill()
  cofre = await startCofre(cofre.ports, { COFRE_DATA_DIR: cofre.dataDir })
  await sandbox.advanceClock(24 * 60 * MINUTE)
  await expect.poll(statusOf).toBe('CHARGEBACK')
})

test('the request log is written, and holds no card', async () => {
  const { merchant } = clients()
  await merchant.createTransaction(
    cardOrder(OTHER_CARD, { reference: 'logged-1', notificationUrl: receiver.url }),
  )
  const url = `http://127.0.0.1:${cofre.ports.sandbox}/transactions?card=${OTHER_CARD}&cvv=737`
  const headers = { Authorization: `${STORE.id}:${'0'.repeat(64)}` }
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ reference: OTHER_CARD }) })
  await cofre.stop()
  const files = cofre.files()
  const bank = files.filter(({ name }) => name.includes('bank'))
  expect(bank.some(({ bytes }) => bytes.includes('logged-1'))).toBe(true)
  expect(bank.some(({ bytes }) => bytes.includes('************5682'))).toBe(true)
  for (const { bytes } of files) expect(bytes.includes(OTHER_CARD)).toBe(false)
})
