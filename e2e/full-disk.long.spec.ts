// Long: fills disks.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { MerchantApiError } from '@cofre/merchant'
import { freePorts, startCofre } from './cofre-process.js'
import { needs } from './needs.js'
import { startPostgresProcess } from './postgres-process.js'
import { cardOrder } from './orders.js'
import { merchantAt } from './shop-request.js'

const BALLAST_BYTES = 256 * 1024 * 1024

/** A small disk, which only root may mount; undefined if the system has none. */
function mountSmallDisk(megabytes: number): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-small-disk-'))
  try {
    const size = `size=${megabytes}m`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}

test('a full disk is 503 for shops and red in /readyz, until there is room', async () => {
  const disk = mountSmallDisk(24)
  needs('root on Linux, to mount a small disk', disk !== undefined)
  if (disk === undefined) return
  const ports = await freePorts()
  const cofre = await startCofre(ports, { COFRE_DATA_DIR: path.join(disk, 'data') })
  try {
    const merchant = merchantAt(ports.api)
    const buy = async (reference: string) => {
      const { transaction } = await merchant.createTransaction(
        cardOrder('4111111111111111', { reference, notificationUrl: 'https://shop.example/' }),
      )
      return transaction.code
    }
    const readyz = async () =>
      await (await fetch(`http://127.0.0.1:${ports.metrics}/readyz`)).text()
    const acknowledged = new Map([['before', await buy('before')]])
    expect(await readyz()).toContain('"ready":true')

    const ballast = path.join(disk, 'ballast')
    expect(() => {
      writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES))
    }).toThrow('ENOSPC')
    const refusals: MerchantApiError[] = []
    for (let i = 0; i < 300 && refusals.length < 3; i++) {
      try {
        acknowledged.set(`full-${i}`, await buy(`full-${i}`))
      } catch (error) {
        if (!(error instanceof MerchantApiError)) throw error
        refusals.push(error)
      }
    }
    expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503])
    await expect.poll(readyz).toMatch(/"ready":false.*the database cannot be written/)

    rmSync(ballast)
    acknowledged.set('after', await buy('after'))
    await expect.poll(readyz).toContain('"ready":true')
    for (const [reference, code] of acknowledged)
      expect((await merchant.findTransaction(code))['order-id']).toBe(reference)
    expect(await cofre.stop()).toBe(0)
  } finally {
    await cofre.stop()
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  }
})

test('a PostgreSQL server whose disk is full, or that may only be read, shows in /readyz and /metrics', async () => {
  const disk = mountSmallDisk(160)
  needs('root on Linux, to mount a small disk', disk !== undefined)
  if (disk === undefined) return
  const postgres = await startPostgresProcess(disk)
  const cofre = await startCofre(await freePorts(), {
    COFRE_DATABASE_URL: postgres.url,
    COFRE_VAULT_DATABASE_URL: postgres.url,
  })
  try {
    const show = async (at: string) =>
      await (await fetch(`http://127.0.0.1:${cofre.ports.metrics}${at}`)).text()
    const expectWell = async () => {
      await expect.poll(() => show('/readyz')).toContain('"ready":true')
      expect(await show('/metrics')).toContain('cofre_database_up{database="gateway_production"} 1')
    }
    const expectNotWritable = async () => {
      await expect
        .poll(() => show('/readyz'))
        .toMatch(/"ready":false.*"database production":"the database cannot be written"/)
      expect(await show('/metrics')).toContain('cofre_database_up{database="gateway_production"} 0')
    }
    await expectWell()
    const ballast = path.join(disk, 'ballast')
    expect(() => {
      writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES))
    }).toThrow('ENOSPC')
    await expectNotWritable()
    rmSync(ballast)
    await expectWell()

    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query('alter system set default_transaction_read_only = on')
    await client.query('select pg_reload_conf()')
    await expectNotWritable()
    await client.query('alter system reset default_transaction_read_only')
    await client.query('select pg_reload_conf()')
    await client.end()
    await expectWell()
  } finally {
    await cofre.dispose()
    await postgres.dispose().catch(() => undefined)
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  }
})
