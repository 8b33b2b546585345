import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as merchant from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { SDK_VERSION, billOfMaterials, checksumsOf, sdkArchives } from '../.ci/sdks.mjs'
import { ROOT } from './packed-packages.js'

const SDKS = path.join(ROOT, 'sdks')
const read = (file: string): string => readFileSync(path.join(SDKS, file), 'utf8')

/** The calls in a page's table. */
const listed = (page: string): string[] =>
  [...read(page).matchAll(/^\| `(?:new )?([\w$.:>-]+)\(/gm)].map(([, call = '']) => call).toSorted()

const PYTHON_METHOD = /^ {4}def ([a-z]\w*)\(/gm
const PHP_METHOD = /^ {4}public (?:static )?function (?!jsonSerialize)([a-z]\w*)\(/gm

/** Public methods of a class, or functions of a file, as a page calls them. */
const declared = (source: string, method: RegExp, prefix: string): string[] =>
  [...source.matchAll(method)].map(([, name = '']) => `${prefix}${name}`)

/** The text of one class of a Python file. */
const pythonClass = (file: string, name: string): string =>
  read(`python/src/cofre_merchant/${file}.py`).split(`\nclass ${name}`)[1]?.split('\nclass ')[0] ??
  ''

const phpClass = (file: string): string => read(`php/src/${file}.php`)

/** The functions of a module or a client, for a program without types. */
const functionsOf = (from: object, prefix: string): string[] =>
  Object.entries(from)
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => `${prefix}${name}`)

const OPTIONS = { baseUrl: 'https://api.shop.example', storeId: 'store-1', secret: 'a secret' }

/** All public calls of each SDK, from its code. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  '../packages/merchant/README.md': [
    ...functionsOf(merchant, ''),
    ...functionsOf(merchant.createMerchantClient(OPTIONS), 'cofre.'),
    ...functionsOf(merchant.createSandboxClient(OPTIONS), 'sandbox.'),
    'error.hasCode',
  ],
  'python/README.md': [
    ...['MerchantClient', 'SandboxClient'],
    ...declared(pythonClass('client', 'MerchantClient'), PYTHON_METHOD, 'cofre.'),
    ...declared(pythonClass('event_calls', 'EventCalls'), PYTHON_METHOD, 'cofre.'),
    ...declared(pythonClass('client', 'SandboxClient'), PYTHON_METHOD, 'sandbox.'),
    ...declared(pythonClass('request', 'Card:'), PYTHON_METHOD, 'Card.'),
    ...declared(pythonClass('request', 'Charge:'), PYTHON_METHOD, 'Charge.').filter(
      (call) => call !== 'Charge.to_wire',
    ),
    ...declared(read('python/src/cofre_merchant/notification.py'), /^def ([a-z]\w*)\(/gm, ''),
    ...declared(read('python/src/cofre_merchant/error.py'), PYTHON_METHOD, 'error.'),
  ],
  'php/README.md': [
    ...['MerchantClient', 'SandboxClient'],
    ...declared(phpClass('MerchantClient'), PHP_METHOD, '$cofre->'),
    ...declared(phpClass('EventCalls'), PHP_METHOD, '$cofre->'),
    ...declared(phpClass('SandboxClient'), PHP_METHOD, '$sandbox->'),
    ...declared(phpClass('Request/Card'), PHP_METHOD, 'Card::'),
    ...declared(phpClass('Request/Charge'), PHP_METHOD, 'Charge::'),
    ...declared(phpClass('Request/Document'), PHP_METHOD, 'Document::'),
    ...declared(phpClass('Notification'), PHP_METHOD, 'Notification::'),
    ...declared(phpClass('VerifiedEvent'), PHP_METHOD, 'VerifiedEvent::'),
    ...declared(phpClass('MerchantError'), PHP_METHOD, '$error->'),
  ],
}

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

  it.each(Object.keys(CALLS))('%s lists every call that there is, and no other', (page) => {
    expect(listed(page)).toEqual(CALLS[page]?.toSorted())
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
