import { X509Certificate } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createRepeatableBytes,
  createTestClock,
  temporaryFolder,
} from '../../../test/simulator-parts.js'
import { openCredentialFolder } from './credential-folder.js'
import { needs } from '../../../../../test/needs.js'

const SERVER = { name: 'Bank', role: 'server', hosts: ['localhost', '127.0.0.1'] } as const

describe("a simulator's folder", () => {
  let folder: string
  let remove: () => Promise<void>
  const clock = createTestClock()
  const open = () =>
    openCredentialFolder(path.join(folder, 'bank'), { clock, randomBytes: createRepeatableBytes() })
  beforeEach(async () => {
    ;({ folder, remove } = await temporaryFolder())
  })
  afterEach(() => remove())

  it('is made with an authority at first, and read afterwards', async () => {
    const first = await open()
    const server = await first.credential('server', SERVER)
    const secret = await first.text('secret', () => 'one')
    const second = await open()
    expect(second.authority.credential).toEqual(first.authority.credential)
    expect(await second.credential('server', SERVER)).toEqual(server)
    expect(await second.text('secret', () => 'two')).toBe(secret)
  })

  it('is only for its owner', needs('a system with file modes'), async () => {
    const files = await open()
    await files.credential('server', SERVER)
    await files.text('secret', () => 'one')
    const place = path.join(folder, 'bank')
    expect((await stat(place)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(place))
      expect((await stat(path.join(place, name))).mode & 0o777).toBe(0o600)
  })

  it('holds certificates of its authority, for their hosts and their role', async () => {
    const files = await open()
    const { certificate } = await files.credential('server', SERVER)
    const server = new X509Certificate(certificate)
    const authority = new X509Certificate(files.authority.credential.certificate)
    expect(server.checkIssued(authority) && server.verify(authority.publicKey)).toBe(true)
    expect(server.checkHost('localhost')).toBe('localhost')
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect([server.ca, authority.ca]).toEqual([false, true])
  })

  it('replaces a certificate that has ended, lacks a host, is broken or is of another authority', async () => {
    const files = await open()
    const place = (name: string) => path.join(folder, 'bank', name)
    const short = { ...SERVER, lifetimeMs: DAY_MS }
    const first = await files.credential('server', short)
    expect(await files.credential('server', short)).toEqual(first)
    clock.advance(2 * DAY_MS)
    const second = await files.credential('server', SERVER)
    expect(second.certificate).not.toBe(first.certificate)
    const third = await files.credential('server', { ...SERVER, hosts: ['bank.example'] })
    expect(third.certificate).not.toBe(second.certificate)
    await writeFile(place('server-key.pem'), await readFile(place('authority-key.pem')))
    const fourth = await files.credential('server', SERVER)
    expect(fourth.certificate).not.toBe(third.certificate)
    await writeFile(place('authority-key.pem'), fourth.privateKey.reveal())
    const fifth = await (await open()).credential('server', SERVER)
    expect(fifth.certificate).not.toBe(fourth.certificate)
    await writeFile(place('authority.pem'), 'no certificate')
    const sixth = await (await open()).credential('server', SERVER)
    expect(sixth.certificate).not.toBe(fifth.certificate)
  })

  it.each([0x00, 0x7f, 0x80, 0xff])(
    'holds certificates whose number is drawn as %i',
    async (byte) => {
      const randomBytes = (size: number) => new Uint8Array(size).fill(byte)
      const files = await openCredentialFolder(path.join(folder, 'drawn'), { clock, randomBytes })
      const { certificate } = await files.credential('server', SERVER)
      const { publicKey } = new X509Certificate(files.authority.credential.certificate)
      expect(new X509Certificate(certificate).verify(publicKey)).toBe(true)
    },
  )

  it('prints no key', async () => {
    const { authority } = await open()
    expect(JSON.stringify(authority.credential)).toContain('"privateKey":"[secret]"')
  })
})
