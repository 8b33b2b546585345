import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFileThere, makeFolder } from './folder.js'

describe('A folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-folder-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('is made with those above it, and once', () => {
    const wanted = path.join(folder, 'a', 'b')
    expect(isFileThere(wanted)).toBe(false)
    makeFolder(wanted)
    makeFolder(wanted)
    expect(statSync(wanted).isDirectory()).toBe(true)
    expect(isFileThere(wanted)).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('is made for its owner alone', () => {
    const wanted = path.join(folder, 'a', 'b')
    makeFolder(wanted)
    for (const made of [wanted, path.dirname(wanted)])
      expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it('is not made where a file is, nor taken for absent there', () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    expect(() => {
      makeFolder(file)
    }).toThrow('EEXIST')
    expect(() => {
      makeFolder(path.join(file, 'a'))
    }).toThrow(/ENOTDIR|EEXIST/)
    for (const below of [path.join(file, 'a'), path.join(file, 'a', 'b')])
      expect(() => isFileThere(below)).toThrow('ENOTDIR')
  })

  it.skipIf(!existsSync('/proc/self'))('is refused, and not tried for ever, in /proc', () => {
    expect(() => {
      makeFolder('/proc/cofre/data')
    }).toThrow('ENOENT')
  })
})
