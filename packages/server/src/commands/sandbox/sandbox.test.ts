import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text as bodyOf } from 'node:stream/consumers'
import { createMerchantClient, verifyNotification } from '@cofre/merchant'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningCofre, startCofre } from '../../process/start.js'
import { readConfig } from '../../config/config.js'
import { devStore } from '../../installation/test-store.js'
import { runProgram } from '../../main.js'
import { type CommandContext, UsageError } from '../line/command.js'
import { typedLines } from '../line/terminal.js'
import { TRIGGERS } from './trigger.js'
import { freePort, freePorts } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'

const SANDBOX_PORT = await freePort()
const VAULT_PORT = await freePort()
const API_PORT = await freePort()
const UNUSED_PORT = await freePort()
const OTHER_PORTS = await freePorts('SIMULATOR', 'ADYEN', 'CIELO', 'INTER')
const URL = `http://127.0.0.1:${SANDBOX_PORT}`
const PRODUCTION = `http://127.0.0.1:${API_PORT}`

describe('cofre sandbox', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-sandbox-command-'))
  copyMigrated(dataDir)
  const configOf = (environ: Record<string, string> = {}) =>
    readConfig(
      {
        COFRE_DATA_DIR: dataDir,
        COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
        COFRE_VAULT_PORT: String(VAULT_PORT),
        COFRE_API_PORT: String(API_PORT),
        ...OTHER_PORTS,
        ...environ,
      },
      'dev',
    )
  let running: RunningCofre
  beforeAll(async () => {
    running = await startCofre(configOf(), ['vault', 'sandbox', 'api'], pino({ enabled: false }))
  })
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  })

  const contextOf = (environ: Record<string, string>) => ({
    clock: { now: () => 0 },
    config: () => configOf(environ),
    warn: () => undefined,
    fail: () => undefined,
  })

  async function cofre(
    line: string,
    environ: Record<string, string> = {},
    person: Partial<CommandContext> = {},
  ): Promise<string> {
    const named = /^(?:listen|logs|trigger)\b/.test(line) ? line : `sandbox ${line}`
    let output = ''
    const print = (text: string) => (output += text)
    await runProgram(named.split(' '), { ...contextOf(environ), print, ...person })
    return output
  }

  /** Starts a command that runs until the test ends, and returns its output. */
  function followWith(
    line: string,
    person: Partial<CommandContext> = {},
  ): { readonly printed: () => string } {
    const stopping = new AbortController()
    let printed = ''
    const print = (text: string) => (printed += text)
    const done = runProgram(line.split(' '), {
      ...contextOf({}),
      stopping: stopping.signal,
      print,
      ...person,
    })
    onTestFinished(async () => {
      stopping.abort()
      await done
    })
    return { printed: () => printed }
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
      'the status may not change this way (90202): it is final',
    )
  })

  it('lets time pass, and shows the clock', async () => {
    await cofre('advance 90')
    expect(JSON.parse(await cofre('advance 2h --json'))).toMatchObject({ 'ahead-seconds': 7290 })
    expect(await cofre('clock')).toMatch(/^\d{4}-\S+Z \(7290 s ahead of the machine\)\n$/)
  })

  it('shows the effects of passing time, and asks a person at a terminal first', async () => {
    const before = await cofre('clock')
    let printed = ''
    const questions: string[] = []
    const person = (answer: string): Partial<CommandContext> => ({
      warn: (text) => (printed += text),
      terminal: {
        prompt(question) {
          questions.push(question)
          return Promise.resolve(answer)
        },
        promptSecret: () => Promise.reject(new Error('no secret is asked for')),
      },
    })
    await createPix()
    expect(await cofre('advance 2d', {}, person(''))).toBe('The clock was not changed.\n')
    expect(questions).toEqual(['Advance the clock? [y/N] '])
    expect(printed).toMatch(
      /will advance from \d{4}-\S+Z to \d{4}-\S+Z\.\nAll stores of this sandbox share it/,
    )
    expect(printed).toMatch(/ {2}[1-9]\d* unpaid payments expire,/)
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

  it('asks where the examples ask for other stores too, and nowhere else when that is no address', async () => {
    const { code } = await createPix()
    const { id, secret } = devStore(configOf())
    const file = path.join(dataDir, 'example-key.txt')
    writeFileSync(file, secret.reveal())
    const elsewhere = { COFRE_DATA_DIR: path.join(dataDir, 'none'), COFRE_SANDBOX_PORT: '1' }
    const named = `pay ${code} --store ${id} --secret-file ${file}`
    expect(await cofre(named, { ...elsewhere, COFRE_API: URL })).toContain('COMPLETE')
    for (const COFRE_API of ['garbage', `${URL}/path`])
      await expect(cofre('clock', { COFRE_API })).rejects.toThrow('COFRE_API is not an origin')
    expect(await cofre(`clock --url ${URL}`, { COFRE_API: 'garbage' })).not.toBe('')
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

  it('explains a failure in one sentence', async () => {
    const { code } = await createPix()
    await cofre(`pay ${code}`)
    const empty = path.join(dataDir, 'empty.txt')
    writeFileSync(empty, '\n')
    const failures: [string, string][] = [
      [`cancel ${code}`, 'may not change this way (90202): allowed are REFUNDED, CHARGEBACK'],
      ['pay 1', 'has no such transaction in the sandbox'],
      ['status 1', 'has no such transaction in the sandbox'],
      ['refund 1 processed', 'has no such refund in the sandbox'],
      ['refund 1 lost', 'processed'],
      [`pay ${code} --store nobody`, 'refuses the signature of nobody (10003)'],
      [`clock --url http://127.0.0.1:${UNUSED_PORT}`, 'start it with cofre dev, or give another'],
      [`pay ${code} --secret-file ${empty}`, `${empty} does not contain the store's secret key`],
      [`pay ${code} --url http://127.0.0.1:${VAULT_PORT}`, 'is not a sandbox'],
      ['listen --store nobody', 'refuses the signature of nobody (10003)'],
      [`logs --url http://127.0.0.1:${UNUSED_PORT}`, 'start it with cofre dev, or give another'],
      [`listen --url http://127.0.0.1:${VAULT_PORT}`, 'is not a sandbox'],
      [`trigger pix.created --notify ${URL}/n --url ${PRODUCTION}`, 'is not a sandbox'],
      ['trigger pix.created --notify http://10.0.0.1/n', 'is not valid. An http or https URL of'],
    ]
    for (const [line, text] of failures) await expect(cofre(line), line).rejects.toThrow(text)
  })

  it('copies notifications to a shop here, whose signature holds, and shows its answers', async () => {
    const secret = devStore(configOf()).secret.reveal()
    const received: unknown[] = []
    const shop = createServer((request, answer) => {
      void bodyOf(request).then((body) => {
        received.push(verifyNotification({ headers: request.headers, body, secret }))
        answer.statusCode = body.includes('refund-id') ? 500 : 200
        answer.end('no such\u001b[2J refund')
      })
    })
    await new Promise<void>((resolve) => {
      shop.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void shop.close())
    const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/notify`
    const input = new PassThrough()
    const listening = followWith(`listen --forward ${address}`, {
      lines: (signal) => typedLines(input, signal),
    })
    await expect
      .poll(listening.printed)
      .toContain(
        `each copied to ${address}. r and Enter send the last one again. Ctrl+C ends it.\n`,
      )
    input.write('r\n')
    const made = JSON.parse(await cofre('trigger refund.processed --json')) as Record<
      string,
      string
    >
    const { 'transaction-code': code, 'refund-id': refundId } = made
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(3)
    expect(received).toContainEqual({ kind: 'transaction', transactionCode: code })
    expect(received).toContainEqual({ kind: 'refund', transactionCode: code, refundId })
    await expect.poll(listening.printed).toMatch(/<-- 500 .*refund\n/)
    const lines = listening.printed().split('\n')
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^..:..:..  --> COMPLETE ${code}  http://.*/inbox/.{24}$`)),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^..:..:..  <-- 200 ${address}  \\d+ ms$`)),
    )
    expect(listening.printed()).not.toContain('\u001b')
    expect(listening.printed()).toContain('Only 200 acknowledges. Again: r and Enter\n')
    input.end('R\nx\n')
    await expect.poll(() => received.length).toBe(4)
    expect(received[3]).toEqual(received[2])
    await expect.poll(listening.printed).toMatch(/(?:<-- 500 [^]*){2}/)
    await cofre('trigger pix.paid')
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(5)
  })

  it('warns before the first notification that the shop is not running, and continues', async () => {
    const listening = followWith(`listen --json --forward http://127.0.0.1:${UNUSED_PORT}/`)
    await expect.poll(listening.printed).toContain('"type":"nobody-listens"')
    await cofre('trigger pix.paid')
    await expect.poll(listening.printed, { timeout: 5000 }).toContain('"error":"connection_failed"')
    const types = listening
      .printed()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type)
    expect(types).toEqual(['ready', 'nobody-listens', 'notification', 'answer'])
  })

  it('shows the requests that are asked for, with what was wrong with them', async () => {
    await expect(cofre('pay 1')).rejects.toThrow()
    const logs = followWith('logs --last 1 --status 4xx')
    await expect
      .poll(logs.printed, { timeout: 5000 })
      .toMatch(/404 POST .*\/1\/status {2}\d+ ms\n +20614 /)
    const others = followWith('logs --json --path /REFUNDS --status failed --error 20614')
    await expect.poll(others.printed).toContain('ready')
    await expect(cofre('refund 1 processed')).rejects.toThrow()
    await cofre('clock')
    await expect(cofre('pay 2')).rejects.toThrow()
    await expect.poll(logs.printed, { timeout: 5000 }).toContain('/2/status')
    expect(logs.printed()).not.toContain('clock')
    expect(others.printed().trim().split('\n')).toHaveLength(1)
  })

  it('makes each event that it names', async () => {
    const outcomes: Record<string, string> = {}
    for (const event of Object.keys(TRIGGERS))
      outcomes[event] = Reflect.get(
        JSON.parse(await cofre(`trigger ${event} --json`)) as object,
        'status',
      ) as string
    expect(outcomes).toEqual({
      'pix.created': 'PENDING',
      'pix.paid': 'COMPLETE',
      'pix.expired': 'EXPIRED',
      'boleto.created': 'PENDING',
      'boleto.paid': 'COMPLETE',
      'boleto.not-paid': 'NOT-PAID',
      'card.approved': 'COMPLETE',
      'card.declined': 'CANCELLED',
      'card.under-review': 'UNDER-REVIEW',
      'card.charged-back': 'CHARGEBACK',
      'refund.processed': 'REFUNDED',
      'refund.partial': 'REFUNDED',
      'refund.rejected': 'COMPLETE',
    })
  })

  it('makes events of cards where payers have their own saved cards', async () => {
    const set = ['store', 'set', devStore(configOf()).id, '--sandbox', '--saved-cards']
    const context = { ...contextOf({}), print: () => undefined }
    await runProgram([...set, 'own'], context)
    expect(await cofre('trigger card.charged-back')).toContain('is CHARGEBACK')
    await runProgram([...set, 'fixed'], context)
  })

  it('recognises a page that is not a sandbox', async () => {
    const server = await servePage()
    const { port } = server.address() as AddressInfo
    await expect(cofre(`clock --url http://127.0.0.1:${port}`)).rejects.toThrow('is not a sandbox')
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
    ['listen --forward 3000', 'It takes an address like http://127.0.0.1:3000/notify.'],
    ['listen --forward http://me:secret@shop.example/', 'It takes an address'],
    ['logs --last 1001', 'It takes a whole number from 0 to 1000.'],
    ['logs --status 4x', 'It takes a status like 404, 4xx or failed.'],
    ['logs --error x', 'It takes an error code, like 210318.'],
    ['trigger pix.stolen', 'Allowed choices are pix.created, pix.paid'],
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
