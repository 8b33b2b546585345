// Long: kills key rotations during payments.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { type CofreProcess, type Ports, freePorts, startCofre } from './cofre-process.js'
import { merchantAt } from './shop-request.js'

const COFRE = fileURLToPath(new URL('../packages/server/dist/cofre.js', import.meta.url))
const BUYERS = 4
/** Number of rotations that are killed at a random moment during payments. */
const KILLS = Number(process.env.COFRE_KILLS ?? 4)

interface Finished {
  readonly code: number | null
  readonly output: string
}

interface ListedKey {
  readonly id: string
  readonly state: string
  readonly dataKeys: number
}

/** Runs a command beside the running product. */
function command(
  args: readonly string[],
  environ: Record<string, string>,
  killAfterMs?: number,
): Promise<Finished> {
  const child = spawn(process.execPath, [COFRE, ...args], { env: { ...process.env, ...environ } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const killing =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(killing)
      resolve({ code, output })
    })
  })
}

test('an operator rotates the keys, killed and resumed, during payments', async () => {
  test.setTimeout(600_000 + KILLS * 20_000)
  const ports = await freePorts()
  const limits = { COFRE_PURCHASE_LIMIT: '10000000.00' }
  let cofre = await startCofre(ports, limits)
  const environ = { COFRE_DATA_DIR: cofre.dataDir }
  const savedBefore = await saveCard(ports, 'before')

  // From here on the process knows none of its data keys, and the key that will wrap them is not in
  // its memory.
  await cofre.stop()
  cofre = await startCofre(ports, { ...limits, ...environ })
  expect(await command(['keys', 'rotate'], environ)).toMatchObject({ code: 0 })
  expect(await payByCode(ports, savedBefore)).toBe('PAID')

  const buyers = startBuyers(ports)
  for (let kill = 0; kill < KILLS; kill++) {
    await command(['keys', 'rotate'], environ, Math.random() * 600)
    rmSync(path.join(cofre.dataDir, 'vault-keys.next'), { force: true })
  }
  expect(await command(['keys', 'rewrap'], environ)).toMatchObject({ code: 0 })
  expect(await command(['keys', 'rotate'], environ)).toMatchObject({ code: 0 })
  const [current, ...older] = await listKeys(environ)
  expect(current).toMatchObject({ state: 'current' })
  expect(current?.dataKeys).toBeGreaterThan(2)
  expect(older.length).toBeGreaterThan(1)
  for (const { id, state, dataKeys } of older) {
    expect({ id, state, dataKeys }).toEqual({ id, state: 'older', dataKeys: 0 })
    expect(await command(['keys', 'retire', id], environ)).toMatchObject({ code: 0 })
  }
  const savedDuring = await saveCard(ports, 'during')
  expect(await buyers.stop()).toEqual([])

  await expectAfterRestart(cofre, ports, [savedBefore, savedDuring])
})

/** The file contains only the last key, which opens everything. */
async function expectAfterRestart(
  before: CofreProcess,
  ports: Ports,
  cards: readonly Saved[],
): Promise<void> {
  const environ = { COFRE_DATA_DIR: before.dataDir }
  await before.stop()
  expect(readFileSync(path.join(before.dataDir, 'vault-keys'), 'utf8').split(',')).toHaveLength(1)
  const cofre = await startCofre(ports, environ)
  for (const card of cards) expect(await payByCode(ports, card)).toBe('PAID')
  const verified = await command(['audit', 'verify'], environ)
  expect(verified).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The audit log is intact/),
  })
  await cofre.dispose()
}

async function listKeys(environ: Record<string, string>): Promise<ListedKey[]> {
  const { output } = await command(['keys', 'status', '--json'], environ)
  return JSON.parse(output) as ListedKey[]
}

function clientOf(ports: Ports) {
  return merchantAt(ports.api)
}

/** Buyers that pay until they are stopped; `stop` resolves to the failures. */
function startBuyers(ports: Ports): { stop(): Promise<unknown[]> } {
  const failures: unknown[] = []
  let isOver = false
  const buy = async (buyer: number): Promise<void> => {
    for (let i = 1; !isOver; i++) {
      try {
        await saveCard(ports, `buyer-${buyer}-${i}`)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const buyers = Array.from({ length: BUYERS }, (_, buyer) => buy(buyer))
  return {
    async stop() {
      isOver = true
      await Promise.all(buyers)
      return failures
    },
  }
}

/** A saved card and its payer. */
interface Saved {
  readonly payer: string
  readonly code: string
}

/** Pays with a card and saves it. */
async function saveCard(ports: Ports, payer: string): Promise<Saved> {
  const { transaction, 'payment-methods': methods } = await clientOf(ports).createTransaction(
    requestOf(`save-${payer}`, payer, {
      installments: 1,
      save: true,
      'credit-card': { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-12' },
    }),
  )
  expect(transaction.status).toBe('PAID')
  return { payer, code: methods?.[0]?.code ?? '' }
}

let payments = 0

async function payByCode(ports: Ports, { payer, code }: Saved): Promise<string> {
  payments += 1
  const { transaction } = await clientOf(ports).createTransaction(
    requestOf(`code-${payments}`, payer, { installments: 1, code }),
  )
  return transaction.status
}

function requestOf<Info>(reference: string, payer: string, info: Info) {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'http://127.0.0.1:9/',
      language: 'pt-BR',
    },
    charge: [
      {
        amount: 1,
        currency: 'BRL',
        'payment-method': { type: 'credit-card' },
        'payment-info': info,
      },
    ],
    payer: {
      name: 'Maria da Silva',
      email: `${payer}@example.com`,
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      ip: '203.0.113.9',
      document: { type: 'CPF', number: '52998224725' },
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': 1, type: 'digital' }],
  } as const
}
