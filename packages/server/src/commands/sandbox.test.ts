import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createMerchantClient } from '@cofre/merchant'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCofre, startCofre } from '../process/start.js'
import { readConfig } from '../config/config.js'
import { devStore } from '../installation/test-store.js'
import { runProgram } from '../main.js'
import { type CommandContext, UsageError } from './command.js'

// Below the range that systems hand out for outgoing connections.
const [SANDBOX_PORT, VAULT_PORT, UNUSED_PORT] = [21_391, 21_392, 21_399]
const URL = `http://127.0.0.1:${SANDBOX_PORT}`

describe('cofre sandbox', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-sandbox-command-'))
  const configOf = (environ: Record<string, string> = {}) =>
    readConfig(
      {
        COFRE_DATA_DIR: dataDir,
        COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
        COFRE_VAULT_PORT: String(VAULT_PORT),
        ...environ,
      },
      'dev',
    )
  let running: RunningCofre
  beforeAll(async () => {
    running = await startCofre(configOf(), ['vault', 'sandbox'], pino({ enabled: false }))
  })
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  })

  async function cofre(
    line: string,
    environ: Record<string, string> = {},
    person: Partial<CommandContext> = {},
  ): Promise<string> {
    let output = ''
    await runProgram(['sandbox', ...line.split(' ')], {
      clock: { now: () => 0 },
      config: () => configOf(environ),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
      ...person,
    })
    return output
  }

  let references = 0
  async function createPix(refundReference?: string): Promise<{ code: string; refund: string }> {
    const { id, secret } = devStore(configOf())
    const merchant = createMerchantClient({ baseUrl: URL, storeId: id, secret: secret.reveal() })
    const { transaction } = await merchant.createTransaction(pixOrder(`order-${++references}`))
    const { code } = transaction
    if (refundReference === undefined) return { code, refund: '' }
    await cofre(`pay ${code}`)
    const refund = await merchant.createRefund({
      'transaction-id': Number(code),
      'notify-url': 'http://127.0.0.1:9/',
      reference: refundReference,
    })
    return { code, refund }
  }

  it.each([
    ['pay', 'COMPLETE'],
    ['cancel', 'CANCELLED'],
    ['expire', 'EXPIRED'],
  ])('reports with %s that a transaction is %s', async (command, status) => {
    const { code } = await createPix()
    expect(await cofre(`status ${code}`)).toBe('PENDING\n')
    expect(await cofre(`${command} ${code}`)).toBe(`Transaction ${code} is ${status}.\n`)
    expect(await cofre(`status ${code}`)).toBe(`${status}\n`)
  })

  it('reports a chargeback, or any status by its name, and prints JSON', async () => {
    const { code } = await createPix()
    await cofre(`status ${code} complete`)
    await cofre(`chargeback ${code}`)
    expect(JSON.parse(await cofre(`status ${code} --json`))).toEqual({
      'transaction-code': code,
      status: 'CHARGEBACK',
    })
  })

  it('ends a refund that is in process, once', async () => {
    const { code, refund } = await createPix('slow-1')
    expect(await cofre(`refund ${refund} rejected`)).toBe(
      `Refund ${refund} of transaction ${code} is REJECTED.\n`,
    )
    await expect(cofre(`refund ${refund} processed`)).rejects.toThrow(
      'the status may not change so (90202): it is final',
    )
  })

  it('lets time pass, and shows the clock', async () => {
    await cofre('advance 90')
    expect(JSON.parse(await cofre('advance 2h --json'))).toMatchObject({ 'ahead-seconds': 7290 })
    expect(await cofre('clock')).toMatch(/^\d{4}-\S+Z \(7290 s ahead of the machine\)\n$/)
  })

  it('says what passing time does, and asks whoever sits in front of it first', async () => {
    const before = await cofre('clock')
    let said = ''
    const questions: string[] = []
    const person = (answer: string): Partial<CommandContext> => ({
      warn: (text) => (said += text),
      terminal: {
        ask(question) {
          questions.push(question)
          return Promise.resolve(answer)
        },
        askSecret: () => Promise.reject(new Error('no secret is asked for')),
      },
    })
    await createPix()
    expect(await cofre('advance 2d', {}, person(''))).toBe('The clock stays as it is.\n')
    expect(questions).toEqual(['Let this time pass? [y/N] '])
    expect(said).toMatch(/goes from \d{4}-\S+Z to \d{4}-\S+Z\.\nIt is one for all stores/)
    expect(said).toMatch(/ {2}[1-9]\d* unpaid payments lapse,/)
    expect((await cofre('clock')).slice(0, 15)).toBe(before.slice(0, 15))
    await cofre('advance 1', {}, person('y'))
    await cofre('advance 1 --yes', {}, person('n'))
    expect(await cofre('clock')).toContain('(7292 s ahead')
    expect(questions).toHaveLength(2)
  })

  it('acts for the store that the examples of the documentation sign for', async () => {
    const { code } = await createPix()
    const { id, secret } = devStore(configOf())
    const examples = { COFRE_API: URL, COFRE_STORE_ID: id, COFRE_SECRET: secret.reveal() }
    const elsewhere = { COFRE_DATA_DIR: path.join(dataDir, 'none'), COFRE_SANDBOX_PORT: '1' }
    expect(await cofre(`pay ${code}`, { ...elsewhere, ...examples })).toContain('COMPLETE')
    await expect(
      cofre(`pay ${code}`, { ...elsewhere, ...examples, COFRE_SECRET: '' }),
    ).rejects.toThrow('there is no test store')
  })

  it('reaches a sandbox elsewhere, with a secret from a file', async () => {
    const { code } = await createPix()
    const { id, secret } = devStore(configOf())
    const file = path.join(dataDir, 'key.txt')
    writeFileSync(file, `${secret.reveal()}\n`)
    const elsewhere = { COFRE_DATA_DIR: path.join(dataDir, 'none'), COFRE_SANDBOX_PORT: '1' }
    const address = `--url ${URL} --store ${id} --secret-file ${file}`
    expect(await cofre(`pay ${code} ${address}`, elsewhere)).toContain('is COMPLETE')
    const environ = {
      ...elsewhere,
      COFRE_PUBLIC_SANDBOX_URL: URL,
      COFRE_DEV_STORE_ID: id,
      COFRE_DEV_STORE_SECRET: secret.reveal(),
    }
    expect(await cofre(`status ${code}`, environ)).toBe('COMPLETE\n')
  })

  it('says what is wrong in one sentence', async () => {
    const { code } = await createPix()
    await cofre(`pay ${code}`)
    const empty = path.join(dataDir, 'empty.txt')
    writeFileSync(empty, '\n')
    const failures: [string, string][] = [
      [`cancel ${code}`, 'may not change so (90202): allowed are REFUNDED, CHARGEBACK'],
      ['pay 1', 'has no such transaction in the sandbox'],
      ['status 1', 'has no such transaction in the sandbox'],
      ['refund 1 processed', 'has no such refund in the sandbox'],
      [`pay ${code} --store nobody`, 'refuses the signature of nobody (10003)'],
      [`clock --url http://127.0.0.1:${UNUSED_PORT}`, 'start it with cofre dev, or name another'],
      [`pay ${code} --secret-file ${empty}`, `${empty} does not hold the store's secret key`],
      [`pay ${code} --url http://127.0.0.1:${VAULT_PORT}`, 'is no sandbox'],
    ]
    for (const [line, text] of failures) await expect(cofre(line), line).rejects.toThrow(text)
  })

  it('tells a page from a sandbox', async () => {
    const server = await servePage()
    const { port } = server.address() as AddressInfo
    await expect(cofre(`clock --url http://127.0.0.1:${port}`)).rejects.toThrow('is no sandbox')
    server.close()
  })

  it('draws no test store where there is none', async () => {
    const none = path.join(dataDir, 'nothing-here')
    await expect(cofre('pay 1', { COFRE_DATA_DIR: none })).rejects.toThrow('there is no test store')
    expect(readdirSync(dataDir)).not.toContain('nothing-here')
  })

  it.each([
    ['pay abc', 'It is a number of at most 15 digits.'],
    ['pay', "missing required argument 'transaction code'"],
    ['status 1 PAID', 'It is one of PENDING, UNDER-REVIEW'],
    ['refund 1 done', 'Allowed choices are processed, rejected.'],
    ['advance 0', 'It takes a time'],
    ['advance 367d', 'It takes a time'],
    ['advance 1w', 'It takes a time'],
    ['clock --url sandbox', 'It takes an origin like https://api.example.com'],
    ['clock --store a:b', 'It takes 1 to 64 letters'],
  ])('refuses %j', async (line, text) => {
    await expect(cofre(line)).rejects.toThrow(UsageError)
    await expect(cofre(line)).rejects.toThrow(text)
  })
})

function servePage(): Promise<Server> {
  const server = createServer((_request, answer) => answer.end('<h1>Welcome</h1>'))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

function pixOrder(reference: string) {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'http://127.0.0.1:9/',
      language: 'pt-BR',
    },
    charge: [{ amount: 1, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      ip: '203.0.113.9',
      document: { type: 'CPF', number: '52998224725' },
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': 1, type: 'digital' }],
  } as const
}
