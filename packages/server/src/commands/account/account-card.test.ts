import { readFileSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import type { Finding } from '../../doctor/finding.js'
import { DATABASES } from '../../installation/databases.js'
import {
  NOTICES,
  createInstallation,
  createMadeUpAcquirer,
  createMadeUpBank,
  openInstallation,
} from './account.fixture.js'
import { UsageError } from '../line/command.js'
import { freePorts } from '../../http/free-port.fixture.js'

const API_KEY = 'key of the acquirer'
const NEXT_KEY = 'the next key of the acquirer'
const ADD = 'account add --store loja --provider made-up-cards'
const ANSWERS = JSON.stringify({ merchant: 'LojaECOM', apiKey: API_KEY })
const keyOf = (id: string, fill: number): string =>
  `${id}:${Buffer.alloc(32, fill).toString('base64url')}`
const VARIABLES = {
  ...(await freePorts('API', 'SANDBOX', 'VAULT', 'NOTICES')),
  COFRE_VAULT_KEYS: keyOf('a', 1),
}
const SERVICE_KEY = { COFRE_VAULT_SERVICE_KEY: keyOf('s', 9) }
const ALONE = { ...VARIABLES, ...SERVICE_KEY }
const VAULT_ELSEWHERE = { ...SERVICE_KEY, COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9' }

type Databases = readonly (keyof typeof DATABASES)[]
const GATEWAY: Databases = ['production', 'sandbox', 'bank']

/** @param has - The existing databases. */
async function installed(
  environ: Record<string, string> = {},
  has: Databases = [...GATEWAY, 'vault'],
  make = createInstallation,
) {
  const bank = createMadeUpBank()
  const acquirer = createMadeUpAcquirer()
  const providers = { banks: [bank.provider], acquirers: [acquirer.provider] }
  const installation = make(providers, { ...VARIABLES, ...environ }, { has })
  const { cofre, dataDir } = installation
  if (has.includes('production')) await cofre('store create loja')
  const add = async (options = ''): Promise<string> => {
    const added = await cofre(`${ADD} --from - --json${options}`, { input: ANSWERS })
    return (added.json() as { id: string }).id
  }
  const list = async (options = '') =>
    (await cofre(`account list --json${options}`)).json() as Record<string, unknown>[]
  const seal = async (sealed: string) => {
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    await DATABASES.vault.use(config, (vault) =>
      vault.transact((trx) => trx.updateTable('accounts').set({ sealed }).execute()),
    )
  }
  return { ...installation, ...acquirer, bank, add, list, seal }
}

describe('cofre account for cards', () => {
  it('asks for what is missing, signs in, and keeps it sealed in the vault', async () => {
    const { asked, cofre, dataDir, list, state } = await installed({
      COFRE_PUBLIC_NOTICES_URL: NOTICES,
    })
    const { output } = await cofre(ADD, { answers: ['LojaECOM', API_KEY] })
    const [account] = await list()
    const id = String(account?.id)
    expect(account).toEqual({
      id: expect.stringMatching(/^made-up-cards-[0-9a-f]{8}$/) as string,
      store: 'loja',
      provider: 'made-up-cards',
      profile: null,
      label: 'Adquirente',
      kind: 'live',
      enabled: true,
      disabledAt: null,
      order: { card: 1 },
      certificateUntil: null,
      lastTest: null,
      foreignNotices: [],
    })
    expect(asked).toEqual(['Merchant: ', 'API key: '])
    expect(state.accounts[0]?.secrets.credentials.reveal()).toContain(API_KEY)
    expect(state.closed).toBe(1)
    expect(output).toContain(`The account ${id} of loja is added in production: Adquirente, live.`)
    expect(output).toContain('New charges by card go to it.')
    expect(output).toContain('The notices of Adquirente arrive at this address.')
    expect(output).toContain('Enter it on the site of Adquirente.')
    const [address = ''] = /https:\S+/.exec(output) ?? []
    expect(address).toMatch(new RegExp(`^${NOTICES}/notices/${id}/[A-Za-z0-9_-]{22}$`))
    expect((await cofre(`account notices ${id}`)).output).toContain(`\n  ${address}\n`)
    const files = readdirSync(dataDir).map((file) => readFileSync(path.join(dataDir, file)))
    for (const secret of [API_KEY, address.split('/').at(-1) ?? API_KEY])
      expect(Buffer.concat(files).includes(secret)).toBe(false)
    const audited = (await cofre('audit list')).output.replaceAll(/^\S+ {2}/gm, '')
    const by = `by operator:${userInfo().username} in production`
    expect(audited).toBe(`account.added  ${id}  done  ${by}\n`)
  })

  it('shows which other merchant accounts its notices are of, and how many', async () => {
    const { add, cofre, dataDir, list, time } = await installed()
    const id = await add()
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    await DATABASES.vault.use(config, (vault) =>
      vault.transact((trx) =>
        trx
          .insertInto('foreign_notices')
          .values({
            account_id: id,
            name: 'OutraECOM',
            notices: 4,
            first_at_ms: 0,
            last_at_ms: time.nowMs,
            warned_at_ms: 0,
          })
          .execute(),
      ),
    )
    const lastAt = new Date(time.nowMs).toISOString()
    expect(await list()).toMatchObject([
      {
        foreignNotices: [
          { name: 'OutraECOM', notices: 4, firstAt: '1970-01-01T00:00:00.000Z', lastAt },
        ],
      },
    ])
    const text = `OutraECOM (4, the last on ${lastAt.slice(0, 10)})`
    expect((await cofre('account list')).output).toContain(text)
    const findings = (await cofre('doctor --json')).json() as Finding[]
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        subject: `account ${id}`,
        finding: expect.stringContaining('OutraECOM (4)') as string,
      }),
    )
  })

  it('shows in the doctor delayed readings, and charges without a notice or link', async () => {
    const { add, cofre, dataDir, time } = await installed()
    const id = await add()
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    const charge = (code: number, approvedAtMs: number) => ({
      transaction_code: code,
      environment: 'production' as const,
      installation: 'test',
      account_id: id,
      provider: 'made-up-cards',
      state: 'approved' as const,
      first_attempt_at_ms: approvedAtMs,
      absent_since_ms: null,
      lease_until_ms: 0,
      next_ask_at_ms: 0,
      payment_id: null,
      nsu: null,
      authorization_code: null,
      sent_eci: null,
      eci: null,
      network_transaction_id: null,
      transaction_link_id: null,
      charged_card_code: null,
      is_unlinked: 1 as const,
      ended_at_ms: approvedAtMs,
    })
    const reading = { account_id: id, step_days: 1, read_to_ms: 0, read_to_code: 0 }
    await DATABASES.vault.use(config, (vault) =>
      vault.transact(async (trx) => {
        await trx
          .insertInto('card_charges')
          .values(charge(7, time.nowMs - 5 * DAY_MS))
          .execute()
        await trx
          .insertInto('card_readings')
          .values({ ...reading, tries: 0, next_at_ms: 0 })
          .execute()
        await trx
          .insertInto('unheard_charges')
          .values({
            transaction_code: 7,
            environment: 'production',
            account_id: id,
            charged_at_ms: time.nowMs - 5 * DAY_MS,
          })
          .execute()
      }),
    )
    const findings = (await cofre('doctor --json')).json() as Finding[]
    expect(
      findings.filter(({ subject }) => subject === `account ${id}`).map(({ level }) => level),
    ).toEqual(['warning', 'problem', 'warning'])
    const said = findings.map(({ finding }) => finding).join('\n')
    expect(said).toContain('charges are read again 97 hours late: 1 are due')
    expect(said).toContain('1 charges approved at least a day ago have no notice')
    expect(said).toContain('1 charges of saved cards of the last 30 days were sent without an id')
    const unlinked = (await cofre('transactions unlinked --json')).json()
    expect(unlinked).toMatchObject({ unlinked: [{ code: '7', account: id }] })
    expect((await cofre('transactions unlinked --environment sandbox')).output).toContain(
      'names the charge that it follows',
    )
  })

  it('finds accounts at banks and acquirers with each command', async () => {
    const { add, bank, cofre, list } = await installed()
    const cards = await add()
    const input = JSON.stringify({ pixKey: 'k', token: 'token of the bank' })
    await cofre('account add --store loja --provider made-up --profile north --from -', { input })
    expect((await list()).map(({ provider }) => provider)).toEqual(['made-up', 'made-up-cards'])
    await cofre(`account disable ${cards}`)
    expect(await list(' --store loja')).toMatchObject([{ enabled: true }, { enabled: false }])
    const { output } = await cofre('account list')
    expect(output).toMatch(new RegExp(`\n${cards} +loja +DISABLED +live +made-up-cards +card 1 +`))
    await cofre(`account enable ${cards}`)
    const tested = await cofre(`account test ${cards} --yes`)
    expect(tested.output).toContain(
      `The account ${cards} has passed its test.\nNothing was charged.`,
    )
    expect(bank.calls).toEqual(['Sign in', 'close'])
    expect(await list()).toMatchObject([
      { lastTest: null },
      { enabled: true, lastTest: { failure: null } },
    ])
  })

  it('gives an account new credentials, and keeps the old ones while they are refused', async () => {
    const { add, cofre, state } = await installed()
    const id = await add()
    state.refusal = 'Adquirente refuses the credentials.'
    const rotating = cofre(`account rotate ${id}`, { answers: [NEXT_KEY] })
    await expect(rotating).rejects.toThrow('nothing was stored, because the check failed')
    expect((await cofre(`account test ${id} --yes`)).failed).toBe(true)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(API_KEY)
    state.refusal = undefined
    await cofre(`account rotate ${id}`, { answers: [NEXT_KEY] })
    await cofre(`account test ${id} --yes`)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(NEXT_KEY)
  })

  it('orders accounts by brand and installments, and ends such an order', async () => {
    const { add, cofre, list } = await installed()
    const [one, two] = [await add(), await add()]
    const line = 'account order --store loja --method card'
    expect((await cofre(`${line} ${two}`)).output).toBe(
      `New charges of loja by card go to the first of these that is enabled: ${two}, ${one}.\n`,
    )
    const amex = `${line} --brand amex --from-installments 2`
    expect((await cofre(`${amex} ${one}`)).output).toBe(
      `New charges of loja by card amex from 2 installments go to the first of these that is enabled: ${one}, ${two}.\n`,
    )
    expect(await list()).toMatchObject([
      { id: one, order: { card: 2, 'card amex from 2 installments': 1 } },
      { id: two, order: { card: 1 } },
    ])
    expect((await cofre('account list')).output).toContain(
      'card 2, card amex from 2 installments 1',
    )
    expect((await cofre(`${amex} --json`)).json()).toEqual({
      store: 'loja',
      environment: 'production',
      method: 'card',
      brand: 'amex',
      fromInstallments: 2,
      order: [two, one],
      onDecline: 'stop',
    })
    expect(await list()).toMatchObject([{ order: { card: 2 } }, { order: { card: 1 } }])
  })

  it('warns of an order whose accounts do not take what it is for', async () => {
    const { add, cofre } = await installed()
    const id = await add()
    const line = `account order --store loja --method card`
    const warned = async (options: string) =>
      (await cofre(`${line} ${options} ${id}`)).output.split('\n').slice(1, -1)
    const passedOver = 'does not accept these charges and is skipped.'
    expect(await warned('--brand hipercard')).toEqual([`Careful: ${id} ${passedOver}`])
    expect(await warned('--brand diners --from-installments 2')).toEqual([
      `Careful: ${id} ${passedOver}`,
    ])
    expect(await warned('--brand diners')).toEqual([
      `Careful: ${id} takes these charges in at most 1 installments: it is skipped for more.`,
    ])
    expect(await warned('--brand amex --from-installments 2')).toEqual([])
  })

  it('routes declined cards to the next account if the store allows it', async () => {
    const { add, cofre } = await installed()
    const [one, two] = [await add(), await add()]
    const line = 'account order --store loja --method card'
    expect((await cofre(`${line} --on-decline next`)).output).toBe(
      `New charges of loja by card go to the first of these that is enabled: ${one}, ${two}.\nA card that one declines is sent to the next, because another acquirer may decide otherwise.\n`,
    )
    const data = async (text: string) => (await cofre(`${text} --json`)).json()
    expect(await data(`${line} ${two}`)).toMatchObject({ order: [two, one], onDecline: 'next' })
    expect(await data(`${line} --brand elo ${one}`)).toMatchObject({ onDecline: 'stop' })
    expect(await data(`${line} --on-decline stop`)).toMatchObject({
      order: [two, one],
      onDecline: 'stop',
    })
  })

  let ofAll: Awaited<ReturnType<typeof installed>>
  beforeAll(async () => {
    ofAll = await installed({}, undefined, openInstallation)
    return ofAll.remove
  })
  it.each<[what: string, line: string, message: string]>([
    ['an unknown provider', ADD.replace('made-up-cards', 'x'), 'but made-up, made-up-cards'],
    ['an unknown profile', `${ADD} --profile x`, 'made-up-cards has no profile x, but cards'],
    [
      'no profile where there are several',
      ADD.replace('made-up-cards', 'made-up'),
      '--profile is missing: it takes north, south',
    ],
    ['an unknown store', ADD.replace('loja', 'nobody'), 'There is no store nobody in production'],
    ['test money in production', `${ADD} --kind test`, 'add --sandbox'],
    ['--register', `${ADD} --register`, 'is entered on the site of Adquirente'],
    [
      'a brand of PIX',
      'account order --store loja --method pix --brand visa x',
      '--brand and --from-installments are for --method card',
    ],
    [
      'installments of PIX',
      'account order --store loja --method pix --from-installments 2 x',
      'are for --method card',
    ],
    [
      'declines of PIX',
      'account order --store loja --method pix --on-decline next x',
      '--on-decline is for --method card',
    ],
    [
      'an order of nobody',
      'account order --store loja --method card',
      'name the accounts, the first one first',
    ],
    [
      'an order where there is no account',
      'account order --store loja --method card --brand visa',
      'loja has no account for card (see cofre account add)',
    ],
    [
      'a brand that is refused',
      'account order --store loja --method card --brand jcb x',
      'Allowed choices are elo, hipercard, amex',
    ],
    ...['1', '0', '19', '2.5', 'two'].map((count): [string, string, string] => [
      `${count} installments`,
      `account order --store loja --method card --from-installments ${count} x`,
      'It takes a whole number from 2 to 18.',
    ]),
    [
      'an order of a stranger',
      'account order --store loja --method card --brand visa x',
      'Not all of x are accounts of loja for card (there is none)',
    ],
    ['a test of nobody', 'account test nobody', 'There is no account nobody in production'],
    [
      'an account named twice',
      'account order --store loja --method card x x',
      'name each account once',
    ],
    ['notices of nobody', 'account notices nobody', 'There is no account nobody in production'],
    ['nobody, disabled', 'account disable nobody', 'There is no account nobody in production'],
  ])('refuses %s', async (_, line, message) => {
    const { cofre, list, state } = ofAll
    const from = line.startsWith('account add') ? ' --from -' : ''
    await expect(cofre(`${line}${from}`, { input: ANSWERS })).rejects.toThrow(message)
    expect(await list()).toEqual([])
    expect(state.accounts).toEqual([])
  })

  it('needs a terminal to ask for answers, and files that others cannot read', async () => {
    const { cofre, list, write } = await installed()
    await expect(cofre(ADD)).rejects.toThrow(UsageError)
    const file = write('answers.json', ANSWERS, 0o644)
    await expect(cofre(`${ADD} --from ${file}`)).rejects.toThrow('others may read or change it')
    await expect(cofre(`${ADD} --from -`, { input: '{}' })).rejects.toThrow(
      'answers are missing, and nothing was stored: merchant (Merchant), apiKey (API key)',
    )
    expect(await list()).toEqual([])
  })
})

describe('where accounts for cards are kept', () => {
  it('may be a vault alone, which has no list of stores and names the place of the other accounts', async () => {
    const { add, cofre, list } = await installed(ALONE, ['vault'])
    const id = await add()
    expect(await list()).toMatchObject([{ id, store: 'loja' }])
    expect((await cofre('account list')).output).toContain(
      'Accounts at banks are kept where the gateway runs.\n',
    )
    await cofre(`account order --store loja --method card ${id}`)
    const bank = 'account add --store loja --provider made-up --profile north --from -'
    await expect(cofre(bank, { input: '{}' })).rejects.toThrow('Only a vault is configured here')
  })

  it('is not beside a gateway whose vault is elsewhere', async () => {
    const { cofre } = await installed(VAULT_ELSEWHERE, GATEWAY)
    for (const line of [`${ADD} --from -`, 'account order --store loja --method card x'])
      await expect(cofre(line, { input: ANSWERS })).rejects.toThrow(
        'The vault is another process (COFRE_VAULT_SERVICE_URL=http://127.0.0.1:9)',
      )
    expect((await cofre('account list')).output).toContain(
      'Accounts for cards are kept where the vault runs (http://127.0.0.1:9).\n',
    )
  })

  it('is a vault that has been started once', async () => {
    const { cofre } = await installed({ COFRE_VAULT_KEYS: '' }, GATEWAY)
    await expect(cofre(`${ADD} --from -`, { input: ANSWERS })).rejects.toThrow(
      'There is no vault here yet',
    )
    expect((await cofre('account list')).output).toBe(
      'There is no account in production: cofre account add\n',
    )
    expect((await cofre('account list --sandbox')).output).toBe(
      'There is no account in sandbox: cofre account add --sandbox\n',
    )
  })
})

describe('the credentials of accounts for cards', () => {
  const findingsOf = (findings: readonly Finding[], id: string) =>
    findings.filter(({ subject }) => subject === `account ${id} of loja`)

  it('are rewrapped by the next key, and no longer need the previous one', async () => {
    const { add, cofre, environ, state } = await installed()
    const id = await add()
    environ.COFRE_VAULT_KEYS = `${keyOf('b', 2)},${keyOf('a', 1)}`
    await cofre('keys rewrap')
    environ.COFRE_VAULT_KEYS = keyOf('b', 2)
    await cofre(`account test ${id} --yes`)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(API_KEY)
  })

  it('are found lost by the doctor, and are entered again', async () => {
    const { add, cofre, seal, state } = await installed()
    const id = await add()
    const doctor = async () => (await cofre('doctor --json')).json() as Finding[]
    expect(findingsOf(await doctor(), id)).toMatchObject([
      {
        level: 'ok',
        finding: 'Adquirente, live; without COFRE_PUBLIC_NOTICES_URL, none of its notices arrives',
      },
    ])
    await seal('lost')
    expect(findingsOf(await doctor(), id)).toMatchObject([
      {
        level: 'problem',
        advice: expect.stringContaining(`cofre account rotate ${id}`) as string,
      },
    ])
    await cofre(`account rotate ${id}`, { answers: [NEXT_KEY] })
    await cofre(`account test ${id} --yes`)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(NEXT_KEY)
  })

  it('come back with a backup, and with the key that is kept elsewhere', async () => {
    const { add, cofre, dataDir, environ, list } = await installed()
    const id = await add()
    const folder = path.join(dataDir, 'backup')
    await cofre(`backup ${folder}`)
    environ.COFRE_DATA_DIR = folder
    environ.COFRE_VAULT_KEYS = keyOf('c', 3)
    await expect(cofre(`account test ${id} --yes`)).rejects.toThrow()
    environ.COFRE_VAULT_KEYS = keyOf('a', 1)
    environ.COFRE_DATA_DIR = dataDir
    expect(await list()).toMatchObject([{ id }])
  })
})

describe('an account at a real acquirer', () => {
  it.each([
    [
      'adyen',
      { merchantAccount: 'LojaECOM', returnUrl: 'https://loja.example' },
      { apiKey: 'k'.repeat(40), hmacKey: 'A'.repeat(64) },
      'hmacKey',
    ],
    [
      'cielo',
      { merchantId: '11111111-2222-3333-4444-555555555555' },
      { merchantKey: 'K'.repeat(40) },
      'merchantKey',
    ],
  ])(
    'is entered, and its credentials change: %s',
    async (provider, settings, secrets, question) => {
      const { cofre, dataDir } = createInstallation({}, VARIABLES, { has: ['sandbox', 'vault'] })
      await cofre('store create loja --sandbox')
      const add = (answers: object) =>
        cofre(
          `account add --store loja --provider ${provider} --sandbox --from - --no-check --json`,
          {
            input: JSON.stringify({ ...settings, ...secrets, ...answers }),
          },
        )
      const wrong = add({ [question]: 'wrong' })
      await expect(wrong).rejects.toThrow(`${question} is refused, and nothing was stored`)
      const { id } = (await add({})).json() as { id: string }
      expect(id).toMatch(new RegExp(`^${provider}-[0-9a-f]{8}$`))
      const rotate = (answers: object) =>
        cofre(`account rotate ${id} --sandbox --from - --no-check`, {
          input: JSON.stringify({ ...answers, ...secrets }),
        })
      expect((await rotate({})).output).toContain('now uses the new credentials')
      const [setting = '', value = ''] = Object.entries(settings)[0] ?? []
      const another = { [setting]: value.replace(/.$/, '6') }
      await expect(rotate(another)).rejects.toThrow(
        `and this would change ${setting} of ${id}; add another account instead`,
      )
      const files = readdirSync(dataDir).map((file) => readFileSync(path.join(dataDir, file)))
      for (const secret of Object.values(secrets))
        expect(Buffer.concat(files).includes(secret)).toBe(false)
    },
  )
})
