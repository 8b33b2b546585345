// Long: kills a vault's process at each moment of an authorization, a capture, a void and a
// refund, at both simulated acquirers at once. On PostgreSQL a second process asks meanwhile.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { type CardChange, MINUTE_MS, minorUnits, paymentReference } from '@cofre/contracts'
import { generateKeyRing } from '@cofre/vault'
import { queryPostgres, testPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { type TestCielo, openTestCielo } from '../../cielo/test/simulated-cielo.js'
import { PAN } from '../../../provider-kit/test/payments.js'
import { storeAccounts } from '../test/stored-account.js'
import { VaultProcess } from '../test/vault-process.js'

const CARD = { number: PAN, cvv: '737', month: '03', year: '2030' }
const CHARGED = 12_990
const PART = 4_000
const SERVER = await testPostgres()
const NAMES = ['adyen', 'cielo'] as const
type Name = (typeof NAMES)[number]

/** Each is interrupted at both acquirers: more of them take a second each. */
const KILLS = Number(process.env.COFRE_KILLS ?? 15)
const OPERATIONS = ['pay', 'capture', 'part', 'void', 'refund'] as const
type Operation = (typeof OPERATIONS)[number]
const MOMENTS = ['asked, not booked', 'asked and booked', 'answered'] as const

const PATHS: Readonly<Record<Operation, RegExp>> = {
  pay: /\/(?:payments|sales)$/,
  capture: /\/capture/,
  part: /\/capture/,
  void: /\/(?:cancels|void)/,
  refund: /\/(?:refunds|void)/,
}

async function postgresDatabase() {
  const url = Object.assign(new URL(SERVER), { pathname: `k_${randomUUID().replaceAll('-', '')}` })
  const name = url.pathname.slice(1)
  await queryPostgres(SERVER, `create database ${name}`)
  const drop = () => queryPostgres(SERVER, `drop database ${name} with (force)`)
  return { url: url.href, drop }
}

function sqliteFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'captures-killed-'))
  const drop = (): Promise<void> => {
    rmSync(folder, { recursive: true })
    return Promise.resolve()
  }
  return Promise.resolve({ url: `sqlite:${path.join(folder, 'vault.db')}`, drop })
}

describe.each([
  ['PostgreSQL', 2, postgresDatabase],
  ['SQLite', 1, sqliteFile],
] as const)('a vault on %s that is killed', (_, processes, open) => {
  let adyen: TestAdyen
  let cielo: TestCielo
  let vaults: readonly VaultProcess[]
  let drop: () => Promise<unknown>
  let aheadMs = 0
  const noticed: Record<Name, number> = { adyen: 0, cielo: 0 }
  const changes: CardChange[] = []

  beforeAll(async () => {
    const [database, ...simulated] = await Promise.all([open(), openTestAdyen(), openTestCielo()])
    drop = database.drop
    ;[adyen, cielo] = simulated
    const { url } = database
    const keys = generateKeyRing()
    const { apiKey, hmacKey } = adyen.credentials
    const returnUrl = 'https://loja.example/volta'
    await storeAccounts(
      { url, keys },
      {
        adyen: { merchantAccount: MERCHANT, returnUrl, apiKey, hmacKey },
        cielo: { ...cielo.credentials },
      },
    )
    const simulators = {
      adyen: { origin: `https://127.0.0.1:${adyen.apiPort}`, caPem: adyen.authority },
      cielo: {
        origin: `https://127.0.0.1:${cielo.apiPort}`,
        queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
        caPem: cielo.authority,
      },
    }
    vaults = Array.from({ length: processes }, () => new VaultProcess({ url, keys, simulators }))
    for (const vault of vaults) await vault.start(0)
  })
  afterAll(async () => {
    await Promise.all(vaults.map((vault) => vault.kill()))
    await Promise.all([adyen.close(), cielo.close(), drop()])
  })

  const first = (): VaultProcess => vaults[0]!
  const last = (): VaultProcess => vaults.at(-1)!
  const codeOf = (name: Name, index: number) => String(100_000 + index * 10 + NAMES.indexOf(name))
  const ask = (
    vault: VaultProcess,
    operation: Operation,
    [name, index]: readonly [Name, number],
  ) => {
    const transactionCode = codeOf(name, index)
    const order = { environment: 'production', transactionCode, merchantId: name } as const
    switch (operation) {
      case 'pay':
        return vault.ask<Answer>('pay', {
          ...order,
          card: CARD,
          payerEmail: 'ana@example.com',
          payer: { name: 'Ana Souza', document: '12345678909', ip: '203.0.113.7' },
          amountMinor: CHARGED,
          installments: 1,
          saveCard: false,
          isCapturedLater: true,
        })
      case 'capture':
      case 'part':
        return vault.ask<Answer>('capture', {
          ...order,
          amountMinor: minorUnits(operation === 'part' ? PART : CHARGED),
        })
      case 'void':
        return vault.ask<Answer>('void', order)
      case 'refund':
        return vault.ask<Answer>('refund', {
          ...order,
          refundId: `9${transactionCode}`,
          amountMinor: PART,
        })
    }
  }

  /** Delivers the acquirers' new notices to every vault: a killed one has not received them. */
  async function deliver(): Promise<void> {
    await Promise.all([adyen.notices(), cielo.notices()])
    for (const [accountId, { receiver }] of Object.entries({ adyen, cielo }) as [
      Name,
      TestCielo,
    ][]) {
      const news = receiver.received.slice(noticed[accountId])
      noticed[accountId] += news.length
      for (const body of news)
        await Promise.all(vaults.map((vault) => vault.ask('notice', { accountId, body })))
    }
  }

  async function pass(ms: number): Promise<void> {
    aheadMs += ms
    cielo.clock.advance(ms)
    await Promise.all(vaults.map((vault) => vault.ask('advance', ms)))
    await last().ask('followUp')
    await deliver()
    const news = await last().ask<CardChange[]>('changes')
    if (news !== 'killed') changes.push(...news)
  }

  /** Asks again, as the gateway does, until it is decided. */
  async function untilDecided(
    operation: Operation,
    order: readonly [Name, number],
  ): Promise<string> {
    for (let round = 0; round < 40; round++) {
      const answer = await ask(last(), operation, order)
      if (answer === 'killed') throw new Error('the last vault was killed')
      const isOpen = answer.outcome === 'unknown' || answer.kind === 'in_process'
      if (!isOpen) return answer.outcome ?? answer.kind
      await deliver()
      await pass(2 * MINUTE_MS)
    }
    return 'undecided'
  }

  /** Kills the first vault when its request has reached this moment at both acquirers. */
  async function killWhile(operation: Operation, index: number): Promise<void> {
    const moment = MOMENTS[Math.floor(index / OPERATIONS.length) % MOMENTS.length]
    const reached = NAMES.map(() => Promise.withResolvers<unknown>())
    const effect =
      moment === 'asked, not booked'
        ? ({ kind: 'cut', when: 'before' } as const)
        : ({ kind: 'late', delayMs: 0 } as const)
    for (const [i, { disturbances }] of [adyen.adyen, cielo.cielo].entries())
      disturbances.add({
        effect,
        on({ path: at }) {
          const isIt = PATHS[operation].test(at.replace(/\?.*/, ''))
          if (isIt) reached[i]?.resolve(undefined)
          return isIt
        },
      })
    const asked = NAMES.map((name) => ask(first(), operation, [name, index]))
    await Promise.all(reached.map(({ promise }) => promise))
    // Meanwhile another process asks for the same, or for the opposite.
    const other = operation === 'void' ? 'capture' : operation === 'capture' ? 'void' : operation
    const besides = processes === 1 ? [] : NAMES.map((name) => ask(last(), other, [name, index]))
    if (moment === 'answered') await Promise.all(asked)
    await first().kill()
    await Promise.all([...asked, ...besides])
    adyen.adyen.disturbances.clear()
    cielo.cielo.disturbances.clear()
    await first().start(aheadMs)
  }

  const tallyOf = (name: Name, index: number) => {
    const key = { installation: 'cofre', environment: 'production' } as const
    const reference = paymentReference({ ...key, transactionCode: codeOf(name, index) })
    return name === 'adyen' ? adyen.adyen.tallyOf(reference) : cielo.cielo.tallyOf(reference)
  }

  const BOOKS: Readonly<Record<Operation, object>> = {
    pay: { charges: 1, captures: 0, cancels: 0, refunds: 0 },
    capture: { charges: 1, captures: 1, capturedMinor: CHARGED, cancels: 0, refunds: 0 },
    part: { charges: 1, captures: 1, capturedMinor: PART, cancels: 0, refunds: 0 },
    void: { charges: 1, captures: 0, cancels: 1, refunds: 0 },
    refund: { charges: 1, captures: 1, cancels: 0, refunds: 1, refundedMinor: PART },
  }
  const ENDS: Readonly<Record<Operation, readonly string[]>> = {
    pay: [],
    capture: ['captured'],
    part: ['captured'],
    void: ['released'],
    refund: ['captured', 'refund_ended'],
  }

  it('has one charge and one end of it, whenever it is killed', async () => {
    for (let index = 0; index < KILLS; index++) {
      const operation = OPERATIONS[index % OPERATIONS.length]!
      const orders = NAMES.map((name) => [name, index] as const)
      if (operation !== 'pay')
        for (const order of orders) expect(await untilDecided('pay', order)).toBe('approved')
      await deliver()
      if (operation === 'refund') {
        for (const order of orders) expect(await untilDecided('capture', order)).toBe('done')
        // Cielo returns what was captured from the day after.
        await pass(25 * 60 * MINUTE_MS)
      }
      await killWhile(operation, index)
      await pass(2 * MINUTE_MS)
      for (const order of orders)
        expect([operation, ...order, await untilDecided(operation, order)]).toEqual([
          operation,
          ...order,
          operation === 'pay' ? 'approved' : 'done',
        ])
      await pass(2 * MINUTE_MS)
      for (const [name] of orders) {
        expect([operation, name, tallyOf(name, index)]).toMatchObject([
          operation,
          name,
          BOOKS[operation],
        ])
        const news = changes.filter(
          ({ transactionCode }) => transactionCode === codeOf(name, index),
        )
        const kinds = news.map(({ change }) => change.kind).filter((kind) => kind !== 'settled')
        expect([operation, name, kinds]).toEqual([operation, name, ENDS[operation]])
      }
    }
  })
})

interface Answer {
  readonly kind: string
  readonly outcome?: string
}
