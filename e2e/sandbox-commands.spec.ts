import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { COFRE, type CofreProcess, STORE, freePorts, startCofre } from './cofre-process.js'
import { railOrder } from './orders.js'
import { type Receiver, startReceiver } from './receiver.js'
import { merchantAt } from './shop-request.js'

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

interface Finished {
  readonly code: number
  readonly output: string
  readonly complaint: string
}

/** Runs `cofre sandbox` as a shop's CI does: on another machine, with its key in a file. */
function sandbox(...args: readonly string[]): Promise<Finished> {
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
  const merchant = merchantAt(cofre.ports.sandbox)
  const newPix = async (reference: string): Promise<string> => {
    const order = railOrder('pix', { reference, notificationUrl: receiver.url })
    return (await merchant.createTransaction(order)).transaction.code
  }
  const code = await newPix('ci-1')
  expect(await sandbox('pay', code)).toEqual({
    code: 0,
    output: `Transaction ${code} is COMPLETE.\n`,
    complaint: '',
  })
  await expect.poll(() => receiver.received.some(({ body }) => body.includes(code))).toBe(true)

  const refundId = await merchant.createRefund({
    'transaction-id': code,
    'notify-url': receiver.url,
    reference: 'slow-1',
  })
  expect(await sandbox('refund', refundId, 'processed')).toMatchObject({ code: 0 })
  await expect.poll(async () => (await sandbox('status', code)).output).toBe('REFUNDED\n')
  expect(await sandbox('cancel', code)).toEqual({
    code: 1,
    output: '',
    complaint: 'cofre: the status may not change so (90202): allowed are REFUNDED, CHARGEBACK\n',
  })
  expect(await sandbox('refund', refundId, 'lost')).toMatchObject({ code: 2 })

  const forgotten = await newPix('ci-2')
  expect(await sandbox('advance', '25h')).toMatchObject({ code: 0 })
  await expect.poll(async () => (await sandbox('status', forgotten)).output).toBe('EXPIRED\n')
})
