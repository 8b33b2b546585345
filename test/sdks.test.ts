import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SDK_VERSION, billOfMaterials, checksumsOf, sdkArchives } from '../.ci/sdks.mjs'
import { ROOT } from './packed-packages.js'

const SDKS = path.join(ROOT, 'sdks')
const read = (file: string): string => readFileSync(path.join(SDKS, file), 'utf8')

describe('The SDKs', () => {
  it.each([
    ['php/composer.json', `"version": "${SDK_VERSION}"`],
    ['php/src/Connection.php', `VERSION = '${SDK_VERSION}'`],
    ['python/pyproject.toml', `version = "${SDK_VERSION}"`],
    ['python/src/cofre_merchant/connection.py', `VERSION = "${SDK_VERSION}"`],
  ])('%s has the version of @cofre/merchant', (file, version) => {
    expect(read(file)).toContain(version)
  })

  it.each([
    ['php/README.md', 'php', 'php/examples/pay.php'],
    ['python/README.md', 'python', 'python/examples/pay.py'],
  ])('%s shows the example that the tests run', (page, language, example) => {
    expect(read(page)).toContain(`\`\`\`${language}\n${read(example)}\`\`\``)
  })

  it('are archived as the same bytes each time, with neither tests nor what a run has left', () => {
    const archives = sdkArchives()
    expect(checksumsOf(sdkArchives())).toBe(checksumsOf(archives))
    expect(Object.keys(archives)).toHaveLength(3)
    for (const bytes of Object.values(archives))
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/\/tests\/|__pycache__/)
  })

  it('have a bill of materials with each archive and its checksum', () => {
    const archives = sdkArchives()
    const { components } = billOfMaterials(archives)
    for (const [name, bytes] of Object.entries(archives)) {
      const content = createHash('sha256').update(bytes).digest('hex')
      const listed = components.find((component) => component.name === name)
      expect(listed).toMatchObject({ hashes: [{ alg: 'SHA-256', content }] })
    }
  })
})
