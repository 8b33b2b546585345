import { Secret, minorUnits } from '@cofre/contracts'
import { createVault } from '@cofre/vault'
import { expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { createInstallation } from '../account/account.fixture.js'
import { fillLinksCommand } from './cards-fill-links.js'

const KEYS = { COFRE_VAULT_KEYS: `a:${Buffer.alloc(32, 1).toString('base64url')}` }
const PAYMENT = {
  paymentId: 'P1',
  nsu: undefined,
  authorizationCode: undefined,
  eci: undefined,
  networkTransactionId: undefined,
}
const LINKED = { ...PAYMENT, networkTransactionId: 'MC1', transactionLinkId: 'tlid-1' }

it('cofre cards fill-links has the running vault read the missing ids, and shows its progress', async () => {
  const { cofre, dataDir, time } = createInstallation({}, KEYS, { has: ['production', 'vault'] })
  const config = readConfig({ COFRE_DATA_DIR: dataDir, ...KEYS }, 'dev')
  const { vaultKeys: keys } = config
  if (keys === undefined) throw new Error('no keys')
  await DATABASES.vault.use(config, async (database) => {
    const acquirer = {
      authorize: () =>
        Promise.resolve({
          kind: 'done',
          value: { outcome: 'approved', payment: PAYMENT, surplus: [] },
        } as const),
      find: () =>
        Promise.resolve({
          kind: 'done',
          value: {
            state: 'approved',
            payment: LINKED,
            decline: undefined,
            returnedMinor: minorUnits(0),
            surplus: [],
            disputes: [],
          },
        } as const),
      cancel: () => Promise.reject(new Error('nothing is cancelled here')),
      refund: () => Promise.reject(new Error('nothing is refunded here')),
      close: () => Promise.resolve(),
    }
    const account = { id: 'conta-1', provider: 'played', acquirer: () => Promise.resolve(acquirer) }
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const vault = createVault({
      database,
      keys,
      log,
      clock: { now: () => time.nowMs },
      played: {},
      installation: 'test',
      accountsOf: () =>
        Promise.resolve(() => Promise.resolve({ accounts: [account], routesDeclines: false })),
      acquirerOf: account.acquirer,
    })
    const reading = { account_id: account.id, step_days: 1, read_to_ms: 0, read_to_code: 0 }
    await database.transact((trx) =>
      trx
        .insertInto('card_readings')
        .values({ ...reading, tries: 0, next_at_ms: 0 })
        .execute(),
    )
    const card = { number: '5555555555554444', cvv: '737', month: '03', year: '2030' }
    await vault.authorize({
      environment: 'production',
      merchantId: 'loja',
      transactionCode: '123456789012345',
      source: { kind: 'raw', card: new Secret(card) },
      payerEmail: 'maria@example.com',
      amountMinor: minorUnits(10_000),
      installments: 1,
      saveCard: true,
      payer: { name: 'Maria', document: '12345678909', ip: '203.0.113.7' },
    })
    const printed: string[] = []
    const context = {
      clock: { now: () => time.nowMs },
      config: () => config,
      print: () => undefined,
      warn: () => undefined,
      fail: () => undefined,
    }
    for await (const { text, isFailure } of fillLinksCommand['cards fill-links'](context)) {
      printed.push(text)
      expect(isFailure).toBeUndefined()
      // The work of another process meanwhile.
      await vault.followUpCharges()
    }
    expect(printed).toEqual([
      '1 of 1 saved cards lack an id that their brand requires.\n',
      'Payments asked for: 1, not read yet: 1.\n',
      'Filled 1 card; 0 still lack an id.\n',
    ])
  })
  const again = await cofre('cards fill-links --json')
  expect(again.output.trim().split('\n').at(-1)).toBe(
    '{"cards":1,"filled":0,"lacking":0,"asked":0,"unreadable":0,"early":0}',
  )
  expect((await cofre('audit list')).output).toContain('saved_cards.linked')
})
