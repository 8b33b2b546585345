import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { holdsCardNumber } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { type Started, banner } from './banner.js'

const SIGNS_IN = { kind: 'signs-in', url: 'http://localhost:8083/link/token' } as const

describe('what npm start prints', () => {
  let dataDir = ''
  beforeAll(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-banner-'))
  })
  afterAll(() => {
    rmSync(dataDir, { recursive: true })
  })

  const printed = (started: Partial<Started> = {}, environ: Record<string, string> = {}) => {
    const config = readConfig({ COFRE_DATA_DIR: dataDir, ...environ }, 'dev')
    return banner(config, { ownerLink: SIGNS_IN, hasExamples: true, ...started })
  }

  it('fits on a terminal: 25 lines at most, no card number, and how to stop it last', () => {
    for (const text of [printed(), printed({ ownerLink: undefined, hasExamples: false })]) {
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
      expect(holdsCardNumber(text)).toBe(false)
      expect(text).toMatch(/Press Ctrl-C to stop\.\n$/)
    }
  })

  it('has every address, the credentials in a line to copy, and the tag', () => {
    const text = printed()
    expect(text).toContain('No money moves: simulated providers.')
    for (const port of [8080, 8081, 8082, 8083, 8084, 8088, 8089, 8090, 8091, 8092])
      expect(text).toMatch(new RegExp(`http://\\S+:${String(port)}\\s`))
    expect(text).toMatch(/^ {2}export COFRE_API=http:\S+ COFRE_STORE_ID=\S+ COFRE_SECRET=\S+$/m)
    expect(text).toContain('crossorigin="anonymous"></script>')
    expect(text).toMatch(/test cards: http:\S+\/sandbox\/\S+\/test-data$/m)
  })

  it.each([
    [SIGNS_IN, /Sign in to the console by this link \(once; for another one: .+ open\)\n {2}http/],
    [{ ...SIGNS_IN, kind: 'makes-owner' } as const, /Become the console's owner by this link/],
    [undefined, /Sign in to the console as its owner\n {2}http:\S+\/sign-in\n/],
  ])('shows the owner’s way in: %j', (ownerLink, said) => {
    expect(printed({ ownerLink })).toMatch(said)
  })

  it('explains how to sign in if the console shows only the sandbox', () => {
    const text = printed({ ownerLink: undefined }, { COFRE_PANEL_ENVIRONMENTS: 'sandbox' })
    expect(text).toContain('/sign-in/sandbox\n')
  })

  it('names examples where there are some', () => {
    expect(printed()).toContain('sandbox reset')
    expect(printed({ hasExamples: false })).not.toContain('xample payments')
  })
})
