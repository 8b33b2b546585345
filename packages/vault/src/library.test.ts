import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(
  new URL('../../../docs/examples/vault-library/pay.mjs', import.meta.url),
)

it('a backend uses the vault as a library, as docs/vault-library.md has it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cofre-library-'))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [SCRIPT, folder])
  expect(stderr).toBe('')
  expect(stdout.split('\n').filter((line) => !line.startsWith('bank: '))).toEqual([
    'approved: visa ************1111',
    'again: approved',
    'by its code: approved',
    '',
  ])
  expect(stdout.match(/asks for/g)).toHaveLength(2)
  expect(stdout).not.toContain('4111111111111111')
  const names = await readdir(folder)
  expect(names).toEqual(expect.arrayContaining(['vault.db', 'vault-keys']))
  for (const name of names) {
    expect((await readFile(path.join(folder, name))).includes('4111111111111111')).toBe(false)
  }
  await rm(folder, { recursive: true })
})
