import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { libraryAddress, readCardFields, readLibrary, scriptTag } from './library.js'

import { SetupError } from '../config/errors.js'

let client: string

beforeEach(() => {
  client = mkdtempSync(path.join(tmpdir(), 'cofre-client-'))
  writeFileSync(path.join(client, 'package.json'), '{"version":"0.2.0"}')
})
afterEach(() => {
  rmSync(client, { recursive: true })
})

function write(folder: string, vendor: string, script: string): void {
  mkdirSync(path.join(client, folder), { recursive: true })
  for (const name of [`payment.${vendor}.min.js`, `payment.${vendor}.js`]) {
    writeFileSync(path.join(client, folder, name), script)
    writeFileSync(path.join(client, folder, `${name}.map`), '{}')
  }
}

const served = (vendor: string): string[][] => {
  const { current, earlier } = readLibrary(vendor, client)
  return [current, ...earlier].map(({ version, isFinal, files: [script] }) => [
    version,
    isFinal ? 'final' : 'draft',
    script.name,
    Buffer.from(script.content).toString(),
  ])
}

describe('readLibrary', () => {
  it('serves the build as the current version, with its readable form and source maps', () => {
    write('dist', 'cofre', 'built')
    expect(served('cofre')).toEqual([['0.2.0', 'draft', 'payment.cofre.min.js', 'built']])
    expect(readLibrary('cofre', client).current.files.map(({ name }) => name)).toEqual([
      'payment.cofre.min.js',
      'payment.cofre.min.js.map',
      'payment.cofre.js',
      'payment.cofre.js.map',
    ])
  })

  it('serves the releases of the vendor beside it', () => {
    write('dist', 'acme', 'built')
    write('releases/0.1.0', 'acme', 'released')
    write('releases/0.1.1', 'cofre', 'released for another vendor')
    expect(served('acme')).toEqual([
      ['0.2.0', 'draft', 'payment.acme.min.js', 'built'],
      ['0.1.0', 'final', 'payment.acme.min.js', 'released'],
    ])
  })

  it('never serves another build of a version that is released', () => {
    write('dist', 'cofre', 'built since')
    write('releases/0.2.0', 'cofre', 'released')
    expect(served('cofre')).toEqual([['0.2.0', 'final', 'payment.cofre.min.js', 'released']])
  })

  it('explains how to build for a vendor', () => {
    write('dist', 'cofre', 'built')
    expect(() => readLibrary('acme', client)).toThrow(SetupError)
    expect(() => readLibrary('acme', client)).toThrow('COFRE_VENDOR=acme')
  })
})

describe('readCardFields', () => {
  const FRAME = ['fields-frame.min.js', 'fields-frame.min.js.map', 'fields-frame.css']
  const writeFields = (folder: string, vendor: string): void => {
    mkdirSync(path.join(client, folder), { recursive: true })
    const [script, readable] = [`fields.${vendor}.min.js`, `fields.${vendor}.js`]
    for (const name of [script, `${script}.map`, readable, `${readable}.map`, ...FRAME])
      writeFileSync(path.join(client, folder, name), folder)
  }

  it('serves the build, with what the frame loads, beside a release that has no fields', () => {
    write('releases/0.2.0', 'cofre', 'released')
    writeFields('dist', 'cofre')
    const { current, earlier } = readCardFields('cofre', client)
    expect([current.version, current.isFinal]).toEqual(['0.2.0', false])
    expect(current.files.map(({ name }) => name)).toEqual([
      'fields.cofre.min.js',
      'fields.cofre.min.js.map',
      'fields.cofre.js',
      'fields.cofre.js.map',
      ...FRAME,
    ])
    expect(earlier).toEqual([])
  })

  it('serves the release that has them', () => {
    writeFields('dist', 'acme')
    writeFields('releases/0.2.0', 'acme')
    const { current } = readCardFields('acme', client)
    expect(current.isFinal).toBe(true)
    expect(Buffer.from(current.files[0].content).toString()).toBe('releases/0.2.0')
  })

  it('explains how to build for a vendor', () => {
    writeFields('dist', 'cofre')
    expect(() => readCardFields('acme', client)).toThrow('fields.acme.min.js was not built')
  })
})

it('prints a tag with the integrity of the file', () => {
  write('dist', 'cofre', '')
  expect(
    scriptTag(libraryAddress(readLibrary('cofre', client), 'https://vault.example')).join(' '),
  ).toBe(
    '<script src="https://vault.example/v/0.2.0/payment.cofre.min.js"   integrity="sha384-' +
      // The SHA-384 of nothing (FIPS 180-4).
      'OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb" crossorigin="anonymous"></script>',
  )
})
