import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMerchantClient } from '@cofre/merchant'
import { expect, test } from '@playwright/test'
import { COFRE, type CofreProcess, freePort, freePorts, startRoles } from './cofre-process.js'
import { railOrder } from './orders.js'

const run = promisify(execFile)
/** The whole program of docs/stores-api.md. */
const ASK = fileURLToPath(new URL('../docs/examples/operator/ask.mjs', import.meta.url))
const STORE = '/sandbox/stores/loja-nova'

interface Answer {
  readonly secret?: string
  readonly store?: { readonly id: string; readonly suspended: boolean }
  readonly errors?: readonly { readonly code: number }[]
}

const NOTIFIED_AT = 'https://shop.example/notifications'

test('an operator makes a store by API, which pays, gets a new secret and is suspended', async () => {
  const ports = await freePorts()
  const operatorPort = await freePort()
  const environ = { COFRE_OPERATOR_PORT: String(operatorPort) }
  const cofre = await startRoles('api,sandbox,vault,worker,operator', ports, environ)
  try {
    const ask = await operatorAt(cofre, operatorPort)
    const created = await ask('POST', '/sandbox/stores', { id: 'loja-nova', name: 'Loja Nova' })
    const pay = (secret = '', reference = '') =>
      createMerchantClient({
        baseUrl: `http://127.0.0.1:${ports.sandbox}`,
        storeId: 'loja-nova',
        secret,
        retryBudgetMs: 0,
      }).createTransaction(railOrder('pix', { reference, notificationUrl: NOTIFIED_AT }))

    const paid = await pay(created.secret, 'order-1')
    expect(paid.transaction.status).toBe('PENDING')

    const rotated = await ask('POST', `${STORE}/keys/first/rotation`, { 'at-once': true })
    await expect(pay(created.secret, 'order-2')).rejects.toThrow('10003')
    expect((await pay(rotated.secret, 'order-3')).transaction.status).toBe('PENDING')

    expect(await ask('POST', `${STORE}/suspension`)).toMatchObject({ store: { suspended: true } })
    await expect(pay(rotated.secret, 'order-4')).rejects.toThrow('10003')
    await ask('POST', `${STORE}/resumption`)
    expect((await pay(rotated.secret, 'order-5')).transaction.status).toBe('PENDING')

    // Not in its key's scopes, which are the usual ones.
    expect((await ask('POST', `${STORE}/settings`, { 'raw-cards': true })).errors).toMatchObject([
      { code: 90708 },
    ])
    for (const secret of [created.secret, rotated.secret]) expectNowhere(cofre, secret ?? '')
  } finally {
    await cofre.dispose()
  }
})

/** Adds an operator's key by the command, and asks by the program of the page. */
async function operatorAt({ dataDir }: CofreProcess, port: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  })
  const [keyFile, publicFile] = ['operator.pem', 'operator.pub.pem'].map((name) =>
    path.join(dataDir, name),
  ) as [string, string]
  writeFileSync(keyFile, privateKey)
  writeFileSync(publicFile, publicKey)
  const added = ['operator-key', 'add', '--public-key', publicFile, '--name', 'Story', '--json']
  const env = { ...process.env, COFRE_DATA_DIR: dataDir }
  const { stdout } = await run(process.execPath, [COFRE, ...added], { env })
  const { key } = JSON.parse(stdout) as { readonly key: string }
  return async (method: string, target: string, body?: object): Promise<Answer> => {
    const sent = body === undefined ? [] : [JSON.stringify(body)]
    const asking = {
      OPERATOR_API: `http://127.0.0.1:${port}`,
      OPERATOR_KEY_ID: key,
      OPERATOR_KEY_FILE: keyFile,
    }
    const answered = await run(process.execPath, [ASK, method, target, ...sent], {
      env: { ...process.env, ...asking },
    })
    return JSON.parse(answered.stdout) as Answer
  }
}

/** No secret is in a file of the process or in its log. */
function expectNowhere(cofre: CofreProcess, secret: string): void {
  expect(secret).toMatch(/^[\w-]{51}$/)
  expect(cofre.output()).not.toContain(secret)
  for (const { name, bytes } of cofre.files())
    expect(bytes.includes(secret), `${name} has the secret`).toBe(false)
}
