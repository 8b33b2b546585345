import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from './session.js'
import { createFileSessionStore } from './session-store-file.js'

const session = (idHash: string, storeId = 'store-1'): Session => ({
  idHash,
  storeId,
  expiresAtMs: 5,
})

describe('sessions in a file', () => {
  let folder: string
  let file: string
  const logged: string[] = []
  const write = (_fields: Record<string, unknown>, message: string): void => {
    logged.push(message)
  }
  const open = () => createFileSessionStore(file, { info: write, warn: write, error: write })
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-panel-'))
    file = path.join(folder, 'new folder', 'sessions.json')
    logged.length = 0
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('are there after a restart, and gone once removed', () => {
    const store = open()
    store.add(session('a'))
    store.add(session('b'))
    store.remove('a')
    const restarted = open()
    expect(restarted.find('b')).toEqual(session('b'))
    expect(restarted.find('a')).toBeUndefined()
  })

  it('of a store end but for one', () => {
    const store = open()
    for (const each of [session('a'), session('b'), session('c', 'store-2')]) store.add(each)
    store.removeOthers('store-1', 'b')
    expect(['a', 'b', 'c'].map((idHash) => open().find(idHash)?.idHash)).toEqual([
      undefined,
      'b',
      'c',
    ])
  })

  it.skipIf(process.platform === 'win32')('are for this user alone', () => {
    open().add(session('a'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('"a"')
  })

  it.each(['not JSON', '{}', '[{"idHash":1}]', '[null]'])('begin anew from %s', (text) => {
    open().add(session('a'))
    writeFileSync(file, text)
    const store = open()
    expect(store.find('a')).toBeUndefined()
    store.add(session('b'))
    expect(open().find('b')).toEqual(session('b'))
  })

  it('go on in memory when the file cannot be written', () => {
    file = folder
    const store = open()
    store.add(session('a'))
    expect(store.find('a')).toEqual(session('a'))
    expect(logged).toContain('the sessions of the panel were not kept')
    expect(existsSync(`${folder}.next`)).toBe(false)
  })
})
