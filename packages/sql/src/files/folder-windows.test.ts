import type * as fs from 'node:fs'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isFileThere } from './folder.js'

// As Windows answers: of what is below a file it says that it is not there.
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>()
  const statSync = (file: string): unknown => {
    try {
      return original.statSync(file)
    } catch (cause) {
      throw Object.assign(new Error('ENOENT', { cause }), { code: 'ENOENT' })
    }
  }
  return { ...original, statSync }
})

it('takes nothing for absent below a file, where the system says that it is not there', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-folder-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  for (const below of [path.join(file, 'a'), path.join(file, 'a', 'b')])
    expect(() => isFileThere(below)).toThrow('ENOTDIR')
  expect(isFileThere(path.join(folder, 'a', 'b'))).toBe(false)
})
