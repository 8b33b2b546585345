import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { type VaultTables, generateKeyRing } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import type { CommandContext } from '../line/command.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)
const CARD = 'A'.repeat(32)

describe('cofre payer', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-payer-'))
    copyMigrated(dataDir)
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const keys = generateKeyRing()
  const HERE = { COFRE_VAULT_KEYS: keys }
  const ELSEWHERE = {
    COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9',
    COFRE_VAULT_SERVICE_KEY: `k:${Buffer.alloc(32).toString('base64url')}`,
  }

  async function cofre(
    line: string,
    environ: Record<string, string> = HERE,
    person: Partial<CommandContext> = {},
  ): Promise<string> {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: () => readConfig({ COFRE_DATA_DIR: dataDir, ...environ }, 'dev'),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
      ...person,
    })
    return output
  }

  const vaultHolds = async (code: string): Promise<void> => {
    const vault = await DATABASES.vault.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const card = {
      code,
      environment: 'production' as const,
      merchant_id: 'loja-um',
      payer: 'digest',
      fingerprint: code,
      sealed_card: 'sealed' as VaultTables['saved_cards']['sealed_card'],
      activated_at_ms: NOW_MS,
      created_at_ms: NOW_MS,
      network_transaction_id: null,
      newest_network_transaction_id: null,
      transaction_link_id: null,
      newest_transaction_link_id: null,
      links_asked_at_ms: null,
    }
    await vault.transact((trx) => trx.insertInto('saved_cards').values(card).execute())
    await vault.close()
  }

  /** An old order with a saved card, and a recent one. */
  async function seed(): Promise<void> {
    await cofre('store create loja-um')
    await vaultHolds(CARD)
    const database = await DATABASES.production.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const row = {
      merchant_id: 'loja-um',
      status: 'COMPLETE' as const,
      open: 0,
      payment_type: 'credit-card' as const,
      sub_type: 'visa',
      amount: 10_000,
      charged: 10_000,
      installments: 1,
      payer_email: 'maria@example.com',
      payer_document: '52998224725',
      description: 'Café',
      notification_url: 'https://shop.example/notifications',
      request: '{"payer":{"name":"Maria da Silva"}}',
      saved_card: JSON.stringify({ code: CARD }),
    }
    const at = (code: number, days: number) => ({
      ...row,
      code,
      reference: `order-${code}`,
      public_id: `public-${code}`,
      created_at: NOW_MS - days * DAY_MS,
      status_changed_at: NOW_MS - days * DAY_MS,
    })
    await database.transact((trx) =>
      trx
        .insertInto('transactions')
        .values([at(1001, 40), at(1002, 3)])
        .execute(),
    )
    await database.close()
  }

  /** The vault's charges of both orders, with their brands' ids. */
  async function seedCharges(): Promise<void> {
    const vault = await DATABASES.vault.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const charge = {
      environment: 'production' as const,
      installation: 'test',
      account_id: 'conta-1',
      provider: 'cielo',
      state: 'approved' as const,
      first_attempt_at_ms: NOW_MS,
      absent_since_ms: null,
      lease_until_ms: 0,
      next_ask_at_ms: NOW_MS,
      payment_id: 'P1',
      nsu: null,
      authorization_code: null,
      sent_eci: null,
      eci: null,
      network_transaction_id: 'network',
      transaction_link_id: 'tlid',
      charged_card_code: null,
      is_unlinked: 0 as const,
      ended_at_ms: NOW_MS,
    }
    await vault.transact((trx) =>
      trx
        .insertInto('card_charges')
        .values([1001, 1002].map((transaction_code) => ({ ...charge, transaction_code })))
        .execute(),
    )
    await vault.close()
  }

  it('also erases the brands’ ids of the charges from the vault', async () => {
    await seed()
    await seedCharges()
    await cofre('payer erase maria@example.com --yes')
    const vault = await DATABASES.vault.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const charges = await vault.reader
      .selectFrom('card_charges')
      .select(['transaction_code', 'network_transaction_id', 'transaction_link_id'])
      .orderBy('transaction_code')
      .execute()
    await vault.close()
    expect(charges).toEqual([
      { transaction_code: 1001, network_transaction_id: null, transaction_link_id: null },
      { transaction_code: 1002, network_transaction_id: 'network', transaction_link_id: 'tlid' },
    ])
  })

  it('also erases the metadata of the order’s link and refunds', async () => {
    await seed()
    const database = await DATABASES.production.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const link = {
      id: 'link-1',
      merchant_id: 'loja-um',
      reference: 'link-1',
      amount: 10_000,
      description: 'Café',
      methods: '["pix"]',
      usage: 'once',
      installments: 1,
      language: 'pt-BR',
      notification_url: 'https://shop.example/notifications',
      created_by: 'api',
      created_at: NOW_MS,
      metadata: '{"buyer":"Maria"}',
    }
    const linkTry = {
      id: 'try-1',
      link_id: 'link-1',
      number: 1,
      form_id: 'form-1',
      method: 'pix',
      reference: 'link-1-1',
      transaction_code: 1001,
      open: 0,
      created_at: NOW_MS,
      next_look_at: NOW_MS,
    }
    const refund = {
      id: 7,
      transaction_code: 1001,
      merchant_id: 'loja-um',
      status: 'PROCESSED' as const,
      amount: 100,
      notify_url: '',
      requested_at: NOW_MS,
      next_ask_at: 0,
      asks: 0,
      in_process: 0,
      metadata: '{"buyer":"Maria"}',
    }
    await database.transact(async (trx) => {
      await trx.insertInto('payment_links').values(link).execute()
      await trx.insertInto('payment_link_tries').values(linkTry).execute()
      await trx.insertInto('refunds').values(refund).execute()
    })
    await cofre('payer erase maria@example.com --yes')
    const links = await database.reader.selectFrom('payment_links').selectAll().execute()
    const refunds = await database.reader.selectFrom('refunds').selectAll().execute()
    await database.close()
    expect([...links, ...refunds]).toMatchObject([{ metadata: null }, { metadata: null }])
  })

  it('also erases metadata that names the payer from unpaid links', async () => {
    await seed()
    const database = await DATABASES.production.open(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
    const texts = {
      email: '{"note":"for Maria@Example.com."}',
      written: '{"cpf":"529.982.247-25"}',
      another: '{"buyer":"ana-maria@example.com","cpf":"1529982247259"}',
      longer: '{"buyer":"maria@example.com.br"}',
    }
    const links = Object.entries(texts).map(([id, metadata], at) => ({
      id,
      merchant_id: 'loja-um',
      reference: id,
      amount: 10_000,
      description: 'Café',
      methods: '["pix"]',
      usage: 'many',
      installments: 1,
      language: 'pt-BR',
      notification_url: 'https://shop.example/notifications',
      created_by: 'api',
      created_at: NOW_MS + at,
      metadata,
    }))
    await database.transact((trx) => trx.insertInto('payment_links').values(links).execute())
    const kept = () =>
      database.reader.selectFrom('payment_links').selectAll().orderBy('created_at').execute()
    const withMetadata = (changed: Partial<Record<keyof typeof texts, null>>) =>
      Object.entries({ ...texts, ...changed }).map(([id, metadata]) => ({ id, metadata }))
    expect(await cofre('payer erase maria@example.com --yes')).toContain('1 payment link')
    expect(await kept()).toMatchObject(withMetadata({ email: null }))
    await cofre('payer erase 52998224725 --yes')
    expect(await kept()).toMatchObject(withMetadata({ email: null, written: null }))
    await database.close()
  })

  it('shows the orders of a payer, and the blocked payers', async () => {
    await seed()
    expect(await cofre('payer list 529.982.247-25')).toBe(
      [
        'Code  Store    Reference   Status    Created                   Saved card                        Erasable',
        `1001  loja-um  order-1001  COMPLETE  2026-10-12T12:00:00.000Z  ${CARD}  yes`,
        `1002  loja-um  order-1002  COMPLETE  2026-11-18T12:00:00.000Z  ${CARD}  no: younger than 30 days`,
        '',
      ].join('\n'),
    )
    expect(await cofre('payer list nobody@example.com')).toBe(
      'No order in production contains nobody@example.com.\n',
    )
    expect(await cofre('payer list --blocked')).toBe('No payer is blocked in production.\n')
    await cofre('block Maria@example.com')
    await cofre('block 529.982.247-25 --by-provider')
    expect(await cofre('payer list --blocked')).toBe(
      'Payer              Blocked by\n52998224725        provider\nmaria@example.com  operator\n',
    )
    for (const line of ['payer list', 'payer list a@example.com --blocked'])
      await expect(cofre(line)).rejects.toThrow('needs a payer, or --blocked')
  })

  it('erases after a yes, and names the rest', async () => {
    await seed()
    await expect(cofre('payer erase maria@example.com')).rejects.toThrow('--yes confirms it')
    const person = (answer: string): Partial<CommandContext> => ({
      terminal: {
        prompt: () => Promise.resolve(answer),
        promptSecret: () => Promise.reject(new Error()),
      },
    })
    const asked = (answer: string) => cofre('payer erase maria@example.com', HERE, person(answer))
    await expect(asked('')).rejects.toThrow('the answer was no')
    expect(await cofre('payer list maria@example.com')).toContain('1001')
    expect(await asked('y')).toBe(
      [
        'Took maria@example.com out of 1 order: 1001.',
        'Deleted 1 saved card.',
        'Not erased yet; run this again later:',
        '  1002  no: younger than 30 days',
        'Keep these codes: after restoring an older backup, erase again.',
        '',
      ].join('\n'),
    )
    expect(await cofre('payer list maria@example.com')).not.toContain('1001')
    const again = await cofre('payer erase maria@example.com --yes --json')
    expect(JSON.parse(again)).toMatchObject({ erased: [], kept: [{ code: '1002' }], cards: [] })
  })

  it('keeps and names the orders whose cards another vault has', async () => {
    await seed()
    let failures = 0
    const fail = () => (failures += 1)
    const otherVault = { ...HERE, COFRE_VAULT_DATABASE_URL: `sqlite:${dataDir}/other.sqlite` }
    const kept = await cofre('payer erase 52998224725 --yes', otherVault, { fail })
    expect(kept).toContain('out of 0 orders.\nDeleted 0 saved cards.\n')
    expect(kept).toContain(`--cards-deleted:\n  ${CARD} of loja-um\n`)
    expect(kept).toContain('1001  no: its card is not in this vault\n')
    expect(failures).toBe(1)
    expect(await cofre('payer list 52998224725')).toContain('1001')
    await cofre(`cards delete ${CARD} --store loja-um`)
    expect(await cofre('payer erase 52998224725 --yes')).toContain(
      'out of 1 order: 1001.\nDeleted 0 saved cards.\nNot erased yet',
    )
  })

  it('erases nothing before the cards are deleted, where the vault runs elsewhere', async () => {
    await seed()
    await expect(cofre('payer erase 52998224725 --yes', ELSEWHERE)).rejects.toThrow(
      `cofre cards delete ${CARD} --store loja-um`,
    )
    expect(await cofre('payer list 52998224725')).toContain('1001')
    expect(await cofre('payer erase 52998224725 --yes --cards-deleted', ELSEWHERE)).toContain(
      'out of 1 order: 1001.',
    )
  })
})
