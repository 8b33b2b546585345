import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from './session.js'
import { createFileSessionStore } from './session-store.js'

const session = (idHash: string, storeId = 'store-1'): Session => ({
  idHash,
  storeId,
  secretMark: 'a mark',
  expiresAtMs: 5,
  usedAtMs: 1,
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

  it('survive a restart, and are gone once removed', () => {
    const store = open()
    store.add(session('a'))
    store.add(session('b'))
    store.remove('a')
    const restarted = open()
    expect(restarted.find('b')).toEqual(session('b'))
    expect(restarted.find('a')).toBeUndefined()
  })

  it('keep when they were used, and recreate none that is gone', () => {
    const store = open()
    store.add(session('a'))
    store.setUsed('a', 4)
    store.setUsed('gone', 4)
    expect(open().find('a')).toEqual({ ...session('a'), usedAtMs: 4 })
    expect(open().find('gone')).toBeUndefined()
  })

  it('are at most fifty of a store, and a fifty-first ends no other store’s', () => {
    const store = open()
    store.add(session('b', 'store-2'))
    for (let count = 0; count <= 50; count += 1) store.add(session(`a${count}`))
    expect(store.find('a0')).toBeUndefined()
    expect(store.find('a1')).toBeDefined()
    expect(store.find('b')).toBeDefined()
  })

  it('of a store end together', () => {
    const store = open()
    for (const each of [session('a'), session('b'), session('c', 'store-2')]) store.add(each)
    store.removeOf('store-1')
    expect(['a', 'b', 'c'].map((idHash) => open().find(idHash)?.idHash)).toEqual([
      undefined,
      undefined,
      'c',
    ])
  })

  it.skipIf(process.platform === 'win32')('are for this user alone', () => {
    open().add(session('a'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('"a"')
  })

  it.each([
    'not JSON',
    '{}',
    '[{"idHash":1}]',
    '[null]',
    '[{"idHash":"a","storeId":"store-1","expiresAtMs":9e15}]',
  ])('start empty from %s', (text) => {
    open().add(session('a'))
    writeFileSync(file, text)
    const store = open()
    expect(store.find('a')).toBeUndefined()
    store.add(session('b'))
    expect(open().find('b')).toEqual(session('b'))
  })

  it('continue in memory when the file cannot be written', () => {
    file = folder
    const store = open()
    store.add(session('a'))
    expect(store.find('a')).toEqual(session('a'))
    expect(logged).toContain('could not save the panel sessions')
    expect(existsSync(`${folder}.next`)).toBe(false)
  })
})
