// A shop's own tests in the sandbox, all at one product: its clock only moves forward.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type Server, connect, createServer } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { MerchantApiError, createSandboxClient } from '@cofre/merchant'
import {
  COFRE,
  type CofreProcess,
  STORE,
  freePort,
  freePorts,
  startCofre,
} from './cofre-process.js'
import { cardOrder, railOrder } from './orders.js'
import { type Receiver, startReceiver } from './receiver.js'
import { merchantAt, sandboxAt } from './shop-request.js'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const APPROVED_CARD = '4111111111111111'
/** A card in no test table: its digits must not occur anywhere. */
const OTHER_CARD = '4235647728025682'

let cofre: CofreProcess
let receiver: Receiver
test.beforeAll(async () => {
  receiver = await startReceiver()
  cofre = await startCofre(await freePorts(), { COFRE_NOTIFY_DELAY: '0' })
})
test.afterAll(async () => {
  await cofre.dispose()
  await receiver.close()
})

function clients() {
  const { sandbox } = cofre.ports
  return { merchant: merchantAt(sandbox), sandbox: sandboxAt(sandbox) }
}

async function createPayment(rail: 'pix' | 'boleto', reference: string): Promise<string> {
  const order = railOrder(rail, { reference, notificationUrl: receiver.url })
  return (await clients().merchant.createTransaction(order)).transaction.code
}

const statusOf = async (code: string) => (await clients().merchant.findTransaction(code)).status

/** Number of notifications about a code that reached the shop. */
const reportedOf = (code: string): number =>
  receiver.received.filter(({ body }) => body.includes(code)).length

test('a shop’s own tests pay a PIX code and end a refund as the bank would', async () => {
  const { merchant, sandbox } = clients()
  const code = await createPayment('pix', 'controls-1')
  expect(await sandbox.setStatus(code, 'COMPLETE')).toEqual({
    'transaction-code': code,
    status: 'COMPLETE',
  })
  await expect.poll(() => reportedOf(code)).toBeGreaterThan(0)
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
  await expect.poll(() => statusOf(code)).toBe('REFUNDED')
})

interface Finished {
  readonly code: number
  readonly output: string
  readonly complaint: string
}

/** Runs `cofre sandbox` as a shop's CI does: on another machine, with its key in a file. */
function command(...args: readonly string[]): Promise<Finished> {
  const { ports, dataDir } = cofre
  const keyFile = path.join(dataDir, 'key.txt')
  writeFileSync(keyFile, `${STORE.secret}\n`)
  const url = `http://127.0.0.1:${ports.sandbox}`
  const address = ['--url', url, '--store', STORE.id, '--secret-file', keyFile]
  const environ = { ...process.env, COFRE_DATA_DIR: path.join(dataDir, 'elsewhere') }
  return new Promise((resolve) => {
    const line = [COFRE, 'sandbox', ...args, ...address]
    const child = execFile(process.execPath, line, { env: environ }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout, complaint: stderr })
    })
  })
}

test('a shop’s CI pays, refunds and lets time pass from the command line', async () => {
  const code = await createPayment('pix', 'ci-1')
  const forgotten = await createPayment('pix', 'ci-2')
  expect(await command('pay', code)).toEqual({
    code: 0,
    output: `Transaction ${code} is COMPLETE.\n`,
    complaint: '',
  })

  const refundId = await clients().merchant.createRefund({
    'transaction-id': code,
    'notify-url': receiver.url,
    reference: 'slow-2',
  })
  expect(await command('refund', refundId, 'processed')).toMatchObject({ code: 0 })
  await expect.poll(() => statusOf(code)).toBe('REFUNDED')
  const [shown, cancelled, advanced] = await Promise.all([
    command('status', code),
    command('cancel', code),
    command('advance', '25h'),
  ])
  expect(shown.output).toBe('REFUNDED\n')
  expect(cancelled).toEqual({
    code: 1,
    output: '',
    complaint:
      'cofre: the status may not change this way (90202): allowed are REFUNDED, CHARGEBACK\n',
  })
  expect(advanced).toMatchObject({ code: 0 })
  await expect.poll(() => statusOf(forgotten)).toBe('EXPIRED')
})

test('ten minutes pass at once, and the shop that did not answer is asked again', async () => {
  const { sandbox } = clients()
  const before = (await sandbox.clock())['ahead-seconds']
  receiver.answer = 500
  const code = await createPayment('pix', 'clock-1')
  await sandbox.advanceClock(DAY + MINUTE)
  await expect.poll(() => reportedOf(code)).toBe(1)
  receiver.answer = 200
  await sandbox.advanceClock(10 * MINUTE)
  await expect.poll(() => reportedOf(code)).toBe(2)
  expect((await sandbox.clock())['ahead-seconds'] - before).toBe(DAY + 11 * MINUTE)
})

test('what is due with the clock comes, after a crash too: a PIX expires, a boleto is not paid, a card is disputed', async () => {
  const { merchant, sandbox } = clients()
  const pix = await createPayment('pix', 'clock-pix')
  const boleto = await createPayment('boleto', 'clock-boleto')
  await sandbox.advanceClock(DAY + MINUTE)
  await expect.poll(() => statusOf(pix)).toBe('EXPIRED')
  const later = { reference: 'later-1', notificationUrl: receiver.url }
  const bought = await merchant.createTransaction(cardOrder('4000000000000077', later))
  expect(await statusOf(bought.transaction.code)).toBe('COMPLETE')
  const before = (await sandbox.clock())['ahead-seconds']

  await cofre.kill()
  cofre = await startCofre(cofre.ports, { COFRE_DATA_DIR: cofre.dataDir })
  expect((await sandbox.clock())['ahead-seconds']).toBe(before)
  await sandbox.advanceClock(DAY)
  await expect.poll(() => statusOf(bought.transaction.code)).toBe('CHARGEBACK')
  await sandbox.advanceClock(12 * DAY)
  await expect.poll(() => statusOf(boleto)).toBe('NOT-PAID')
})

test('the clock takes seconds, forward only, of a store that signs', async () => {
  const { sandbox } = clients()
  for (const seconds of [0, 1.5, 400 * DAY]) {
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

/** A proxy in front of a port that sends a superfluous byte after each request. */
async function addStrayBytes(port: number, target: number): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let request = ''
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk)
      request += chunk.toString('latin1')
      const [head = '', body] = request.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
      if (body?.length === length) upstream.write('\0')
    })
    upstream.pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

test('a payment that a stray byte follows is answered as what it is', async () => {
  const proxyPort = await freePort()
  const proxy = await addStrayBytes(proxyPort, cofre.ports.sandbox)
  const order = cardOrder(APPROVED_CARD, { reference: 'stray-1', notificationUrl: receiver.url })
  const signedOrigin = `http://127.0.0.1:${cofre.ports.sandbox}`
  const answered = await merchantAt(proxyPort, { signedOrigin }).createTransaction(order)
  expect(answered.transaction.status).toBe('PAID')
  proxy.close()
})

// The last story: it stops the product.
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
