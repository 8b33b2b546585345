import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it } from 'vitest'
import { createVaultRoutes } from './http/vault-routes.js'
import { openVaultDatabase } from './database/vault-database.js'
import {
  AMEX,
  type TestVault,
  depositCode,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
  tokenFor,
} from './vault.fixture.js'

/** Card data in the clear. Base64url text is excluded, because it may have any digits. */
const CARD_DATA = new RegExp(`(?<![\\w-])(${AMEX.number}|${AMEX.cvv})(?![\\w-])`)

for (const engine of TEST_ENGINES) {
  describe(`Card data on ${engine.name}`, () => {
    it('is in the clear nowhere: not in rows, answers, errors or logs', async () => {
      const test = await openTestVault(engine)
      const seen = await everyKindOfOrder(test)
      expect(seen).not.toMatch(CARD_DATA)
      expect(await dumpDatabase(test.database)).not.toMatch(CARD_DATA)
      expect(test.log.lines.join('\n')).not.toMatch(CARD_DATA)
      expect(test.log.lines.length).toBeGreaterThan(0)
      expect(test.acquirer.requests.some(({ card }) => card.cvv === AMEX.cvv)).toBe(true)
      await test.database.close()
    })
  })
}

describe('Card data in SQLite files', () => {
  it('is in the clear nowhere, write-ahead log included', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cofre-files-'))
    const url = `sqlite:${path.join(folder, 'vault.db')}`
    const open = async () => await openVaultDatabase(url)
    const test = await openTestVault({ name: 'sqlite', open: open as never })
    await everyKindOfOrder(test)
    const files = await readdir(folder)
    expect(files).toContain('vault.db-wal')
    for (const file of files) {
      const bytes = await readFile(path.join(folder, file), 'latin1')
      expect(bytes.includes(AMEX.number)).toBe(false)
      expect(bytes.includes(`"${AMEX.cvv}"`)).toBe(false)
    }
    await test.database.close()
    await rm(folder, { recursive: true })
  })
})

/** Sends the card in every possible way. Returns all answers. */
async function everyKindOfOrder(test: TestVault): Promise<string> {
  const { vault, acquirer } = test
  const seen: unknown[] = []
  const note = async (answer: Promise<unknown>): Promise<void> => {
    seen.push(await answer.catch((error: unknown) => error))
  }
  const raw = { kind: 'raw', card: new Secret(AMEX) } as const

  acquirer.answers = ['approved']
  await note(vault.authorize(orderFor(await test.deposit(AMEX), { saveCard: true })))
  const code = await savedCode(test)
  await note(vault.authorize(orderByCode(code)))
  for (const used of [await depositCode(test, AMEX.cvv), AMEX.cvv]) {
    const source = { kind: 'code', code, securityCodeToken: used } as const
    await note(vault.authorize(orderByCode(code, { source })))
    await note(vault.authorize(orderByCode(code, { source })))
  }
  await depositCode(test, AMEX.cvv)
  await note(vault.authorize(orderFor('', { source: raw })))
  acquirer.answers = [new Error(`no answer for ${JSON.stringify(AMEX)}`)]
  await note(vault.authorize(orderFor(await test.deposit(AMEX))))
  await note(vault.authorize(orderFor('', { source: raw })))
  acquirer.answers = ['declined']
  await note(vault.authorize(orderFor(await test.deposit(AMEX), { brand: 'visa' })))
  await test.deposit(AMEX)

  const wrong = { ...AMEX, year: '1999' }
  await note(test.deposit(wrong))
  await note(test.deposit({ ...AMEX, extra: 1 } as typeof AMEX))
  const routes = createVaultRoutes(vault, test)
  const body = await tokenFor(await vault.openSession(), wrong)
  const response = await routes.request('/direct-tokens', { method: 'POST', body })
  seen.push(await response.text(), raw, vault)
  return inspect(seen, { depth: 8, maxStringLength: null })
}

async function savedCode({ database }: TestVault): Promise<string> {
  const { code } = await database.reader
    .selectFrom('saved_cards')
    .select('code')
    .executeTakeFirstOrThrow()
  return code
}
