import { copyFileSync, existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import type { GatewayTables } from '@cofre/gateway'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import type { Finding } from '../../doctor/finding.js'
import { DATABASES } from '../../installation/databases.js'
import { createInstallation, createMadeUpBank } from './account.fixture.js'
import { freePorts } from '../../http/free-port.fixture.js'

const PORTS = await freePorts('API', 'SANDBOX', 'VAULT', 'NOTICES')
const TOKEN = 'token of the bank'
const NEXT_TOKEN = 'the next token of the bank'
const keyOf = (id: string, fill: number): string =>
  `${id}:${Buffer.alloc(32, fill).toString('base64url')}`

async function installed(environ: Record<string, string> = {}) {
  const bank = createMadeUpBank()
  const variables = { ...PORTS, ...environ }
  const installation = createInstallation({ banks: [bank.provider] }, variables)
  const { cofre, dataDir } = installation
  await cofre('store create loja')
  const input = JSON.stringify({ pixKey: 'loja@example.com', token: TOKEN })
  const line = 'account add --store loja --provider made-up --profile north --from - --json'
  const { id } = (await cofre(line, { input })).json() as { id: string }
  const doctor = async (): Promise<readonly Finding[]> =>
    (await cofre('doctor --json')).json() as Finding[]
  /** Credentials of the sign-in at its bank. */
  const credentials = async (): Promise<string | undefined> => {
    await cofre(`account test ${id} --yes`)
    return bank.state.accounts.at(-1)?.secrets.credentials.reveal()
  }
  const change = async (columns: Partial<GatewayTables['accounts']>) => {
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    await DATABASES.production.use(config, (database) =>
      database.transact((trx) => trx.updateTable('accounts').set(columns).execute()),
    )
  }
  return { ...installation, id, doctor, credentials, change }
}

describe('The credentials of accounts', () => {
  it('are rewrapped by the next key, and no longer need the previous one', async () => {
    const keys = { COFRE_GATEWAY_KEY: keyOf('a', 1) }
    const { cofre, credentials, environ } = await installed(keys)
    environ.COFRE_GATEWAY_KEY = `${keyOf('b', 2)},${keyOf('a', 1)}`
    await cofre('store list')
    environ.COFRE_GATEWAY_KEY = keyOf('b', 2)
    expect(await credentials()).toContain(TOKEN)
    environ.COFRE_GATEWAY_KEY = keyOf('c', 3)
    await expect(cofre('account list')).rejects.toThrow('needs the gateway key b')
  })

  it('keep a new key from being made beside them', async () => {
    const { change, cofre, dataDir, doctor } = await installed()
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    await DATABASES.production.use(config, (database) =>
      database.transact((trx) => trx.updateTable('store_keys').set({ secret: 'lost' }).execute()),
    )
    rmSync(path.join(dataDir, 'gateway-keys'))
    await expect(cofre('account list')).rejects.toThrow('The gateway key is gone')
    const gone = (await doctor()).filter(({ subject }) => subject === 'gateway key')
    expect(gone).toMatchObject([{ level: 'problem' }])
    await change({ sealed: 'lost' })
    expect((await cofre('account list')).output).toContain('loja')
  })

  it('are no reason for the doctor to make a key', async () => {
    const { change, dataDir, doctor } = await installed()
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    await DATABASES.production.use(config, (database) =>
      database.transact((trx) => trx.updateTable('store_keys').set({ secret: 'lost' }).execute()),
    )
    await change({ sealed: 'lost' })
    rmSync(path.join(dataDir, 'gateway-keys'))
    expect(await doctor()).toContainEqual(expect.objectContaining({ subject: 'gateway key' }))
    expect(existsSync(path.join(dataDir, 'gateway-keys'))).toBe(false)
  })

  it('are entered again once their key is lost and they were given up', async () => {
    const { change, cofre, credentials, doctor, id } = await installed()
    await change({ sealed: 'lost' })
    const unopened = (await doctor()).find(({ level }) => level === 'problem')
    expect(unopened).toMatchObject({
      subject: `account ${id} of loja`,
      finding: `no gateway key has wrapped the credentials of the account loja/${id}`,
      advice: expect.stringContaining(`cofre account rotate ${id}`) as string,
    })
    const { output } = await cofre(`account rotate ${id}`, { answers: [NEXT_TOKEN] })
    expect(output).toContain('now uses the new credentials')
    expect(await credentials()).toContain(NEXT_TOKEN)
  })

  it('come back with a backup, and with the key that is kept elsewhere', async () => {
    const { cofre, credentials, dataDir, environ } = await installed()
    const folder = path.join(dataDir, 'backup')
    const { output } = await cofre(`backup ${folder}`)
    expect(output).toContain('no account at a bank can be used')
    environ.COFRE_DATA_DIR = folder
    await expect(cofre('account list')).rejects.toThrow('The gateway key is gone')
    copyFileSync(path.join(dataDir, 'gateway-keys'), path.join(folder, 'gateway-keys'))
    expect(await credentials()).toContain(TOKEN)
  })
})

describe('cofre doctor', () => {
  const accountFindings = (findings: readonly Finding[]) =>
    findings.filter(({ subject }) => subject.startsWith('account'))

  it('warns of a certificate 30 days before its end, and finds one that has ended', async () => {
    const { doctor, id, time } = await installed()
    const subject = `account ${id} of loja`
    expect(accountFindings(await doctor())).toEqual([
      {
        level: 'ok',
        subject,
        finding:
          'Banco do Norte, live, its certificate is valid until 2027-01-31; without COFRE_PUBLIC_NOTICES_URL, its payments are found by polling the bank',
      },
    ])
    const advice = 'ask the bank for a new one, then run cofre account rotate ' + id
    time.nowMs = Date.UTC(2027, 0, 31) - 30 * DAY_MS
    expect(accountFindings(await doctor())).toEqual([
      {
        level: 'warning',
        subject,
        finding: 'its certificate expires on 2027-01-31, in 29 days',
        advice,
      },
    ])
    time.nowMs = Date.UTC(2027, 0, 31)
    expect(accountFindings(await doctor())).toEqual([
      { level: 'problem', subject, finding: 'its certificate expired on 2027-01-31', advice },
    ])
  })

  it('finds a simulator in service, until it is disabled', async () => {
    const { change, cofre, doctor, id } = await installed()
    await change({ kind: 'simulator' })
    expect(accountFindings(await doctor())).toMatchObject([
      { level: 'problem', advice: `run cofre account disable ${id}` },
    ])
    for (const line of [`account test ${id} --yes`, `account rotate ${id}`])
      await expect(cofre(line)).rejects.toThrow('npm start alone plays the bank')
    expect((await cofre('account list')).output).toContain('simulator')
    await cofre(`account disable ${id}`)
    expect(accountFindings(await doctor())).toMatchObject([{ level: 'ok', subject: 'accounts' }])
  })

  it('names the stores without PIX', async () => {
    const { cofre, doctor } = await installed()
    await cofre('store create outra')
    await cofre('store create fechada')
    await cofre('store disable fechada')
    const [, found] = accountFindings(await doctor())
    expect(found?.level).toBe('ok')
    expect(found?.finding).toContain('cannot take PIX (210601): outra. Add one')
  })

  it('shows no credentials and no address for notices', async () => {
    const { doctor } = await installed({ COFRE_PUBLIC_NOTICES_URL: 'https://pix.example.com' })
    expect(JSON.stringify(await doctor())).not.toMatch(/token of the bank|notices\/north/)
  })
})
