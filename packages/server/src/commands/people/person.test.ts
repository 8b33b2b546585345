import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'

const NOW_MS = Date.UTC(2026, 10, 23, 12)
const ORIGIN = 'https://console.example'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-person-'))
  copyMigrated(dataDir, ['production', 'sandbox'])
})
afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

async function cofre(line: string): Promise<string> {
  let output = ''
  const environ = { COFRE_DATA_DIR: dataDir, COFRE_PUBLIC_PANEL_URL: ORIGIN }
  await runProgram(line.split(' '), {
    clock: { now: () => NOW_MS },
    config: () => readConfig(environ, 'dev'),
    print: (text) => (output += text),
    warn: () => undefined,
    fail: () => undefined,
  })
  return output
}

describe('cofre person', () => {
  it('makes the link of a first owner, by the configured host, for a day', async () => {
    await cofre('store create loja-um')
    expect(await cofre('person list')).toContain('There are no people yet')
    const made = JSON.parse(await cofre('person add ana@example.com --store loja-um --json')) as {
      url: string
    }
    expect(made).toEqual({
      email: 'ana@example.com',
      store: 'loja-um',
      role: 'owner',
      url: expect.stringMatching(/^https:\/\/console\.example\/link\/[\w-]{43}$/) as string,
      expiresAt: '2026-11-24T12:00:00.000Z',
    })
    const text = await cofre('person add ana@example.com --store loja-um --role support')
    expect(text).toContain('ana@example.com becomes support of the store loja-um by this link:')
    expect(text).not.toContain(made.url)
    const listed = await cofre('person list')
    expect(listed).not.toContain('nobody yet')
    expect(listed).toMatch(/ana@example\.com +invited +nothing +loja-um \(support\)/)
    expect(await cofre('person list --store other')).not.toContain('ana@example.com')
    await cofre('person uninvite ana@example.com --store loja-um')
    expect(await cofre('person list')).toContain('There are no people yet')
  })

  it('invites to the sandbox alone of a store that production does not have', async () => {
    await cofre('store create loja-teste --sandbox')
    const line = 'person add rui@example.com --store loja-teste --role developer --sandbox'
    const text = await cofre(line)
    expect(text).toContain(
      'rui@example.com becomes developer in the sandbox of the store loja-teste',
    )
    expect(await cofre('person list')).toMatch(
      /rui@example\.com +invited +nothing +loja-teste \(developer, sandbox alone\)/,
    )
    await expect(cofre('person uninvite rui@example.com --store loja-teste')).rejects.toThrow(
      'has no open invitation',
    )
    await cofre('person uninvite rui@example.com --store loja-teste --sandbox')
    expect(await cofre('person list')).toContain('There are no people yet')
    await cofre('store create loja-teste')
    await expect(cofre(line)).rejects.toThrow('The store loja-teste is in production')
  })

  it('lists a role in the sandbox alone, and takes it away', async () => {
    await cofre('store create loja-teste --sandbox')
    const database = new DatabaseSync(path.join(dataDir, 'gateway.db'))
    database.exec(
      `insert into people (id, email, name, enabled, password, credentials_at, created_at)
       values ('per_rui', 'rui@example.com', 'Rui', 1, 'hash', 0, 0);
       insert into sandbox_memberships (merchant_id, person_id, role, created_at)
       values ('loja-teste', 'per_rui', 'owner', 0)`,
    )
    database.close()
    const [listed] = JSON.parse(await cofre('person list --json')) as { stores: object[] }[]
    expect(listed?.stores).toEqual([{ id: 'loja-teste', role: 'owner', environment: 'sandbox' }])
    const line = 'person remove rui@example.com --store loja-teste'
    await expect(cofre(line)).rejects.toThrow('rui@example.com has no role at the store loja-teste')
    expect(await cofre(`${line} --sandbox`)).toContain(
      'no longer has a role at the store loja-teste in the sandbox only',
    )
    expect(await cofre('person list')).toMatch(/rui@example\.com +enabled +password +Rui/)
  })

  it.each([
    ['', 1, 'has no credentials: cofre person reset ana@example.com comes first.'],
    ['hash', 1, 'already has access, and signs in to accept.'],
    ['hash', 0, 'is disabled: cofre person enable ana@example.com comes first.'],
  ])(
    'shows the next step for a known person (password %j, enabled %i)',
    async (hash, enabled, hint) => {
      await cofre('store create loja-um')
      const database = new DatabaseSync(path.join(dataDir, 'gateway.db'))
      database
        .prepare(
          `insert into people (id, email, name, enabled, password, credentials_at, created_at)
         values ('per_ana', 'ana@example.com', 'Ana', ?, nullif(?, ''), 0, 0)`,
        )
        .run(enabled, hash)
      database.close()
      const text = await cofre('person add Ana@example.com --store loja-um')
      expect(text).toContain(`ana@example.com ${hint}`)
    },
  )

  it.each([
    ['person add ana@example.com --store loja-dois', 'There is no store loja-dois in production'],
    [
      'person add ana@example.com --store loja-dois --sandbox',
      'There is no store loja-dois in sandbox',
    ],
    ['person add ana@example.com --store loja-um --sandbox', 'leave out --sandbox'],
    ['person remove ana@example.com --store loja-um', 'ana@example.com has no role'],
    ['person add ana --store loja-um', 'An e-mail is a name, an @ and a domain.'],
    ['person add ana@example.com', "required option '--store <id>' not specified"],
    ['person add ana@example.com --store loja-um --role king', 'Allowed choices are owner'],
    ['person reset ana@example.com', 'Nobody has the e-mail ana@example.com'],
    ['person disable ana@example.com', 'Nobody has the e-mail ana@example.com'],
    ['person enable ana@example.com', 'Nobody has the e-mail ana@example.com'],
  ])('refuses %s', async (line, why) => {
    await cofre('store create loja-um')
    await expect(cofre(line)).rejects.toThrow(why)
  })
})
