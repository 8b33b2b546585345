// Long, because the generators take 50 MB: only `npm run test:long` installs them.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../packages/gateway/src/api/openapi/openapi-document.js'

const run = promisify(execFile)
const INSTALLED = path.join(import.meta.dirname, 'node_modules')

/** A program that a shop's developer writes over the generated types. */
const PROGRAM = `
import type { paths } from './types'

type Answer = paths['/payments/{transactionCode}']['get']['responses'][200]['content'][
  'application/vnd.cofre.v2+json; charset=UTF-8'
]

export function fiscalFacts({ payment }: Answer) {
  const { brand, acquirer } = payment.card ?? { brand: null, acquirer: null }
  return { brand, cnpj: acquirer?.cnpj ?? null, authorization: acquirer?.['authorization-code'] }
}

// @ts-expect-error the field has another name
export const wrong = ({ payment }: Answer) => payment.card?.acquirer?.authorizationCode
`

const SETTINGS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['types.d.ts', 'client', 'program.ts'],
}

/** Runs the command of a package that long tests alone install. */
async function tool(script: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [path.join(INSTALLED, script), ...args], {
    cwd,
  })
  return stdout + stderr
}

describe('clients that strangers’ generators make from the API document', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cofre-clients-'))
    const document = openApiDocument({ mediaVendor: 'cofre', publicUrl: 'https://api.example.com' })
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document))
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
    await writeFile(path.join(folder, 'program.ts'), PROGRAM)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('compile, and know the fields of a payment', async () => {
    await tool('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'types.d.ts'], folder)
    await tool(
      '@hey-api/openapi-ts/bin/run.js',
      ['-i', 'openapi.json', '-o', 'client', '--no-log-file'],
      folder,
    )
    await expect(tool('typescript/bin/tsc', ['-p', '.'], folder)).resolves.toBe('')
  })
})
