import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { describe, expect, it } from 'vitest'

const MODULE = new URL('startup-memory.ts', import.meta.url)

/** In its own process, whose young generation no other test fills. */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { releaseStartupMemory } from '${MODULE.href}'
  const youngBytes = () =>
    getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
  const loaded = Array.from({ length: 1_000_000 }, (_, number) => ({ number }))
  const sizes = [youngBytes()]
  releaseStartupMemory()
  sizes.push(youngBytes())
  console.log(JSON.stringify([...sizes, loaded.length]))
`

/** Prints the addresses of all modules that a process with every role loads. */
const LOADING_SCRIPT = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  for (const module of ['commands/installation/run', 'process/start', 'process/panel', 'process/demo'])
    await import(new URL(module + '.js', '${new URL('../../dist/', import.meta.url).href}').href)
  console.log(JSON.stringify(loaded))
`

function outputOf(script: string): unknown {
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  )
}

describe('The memory that only the start needed', () => {
  it('is given back', () => {
    const [before = 0, after = 0] = outputOf(SCRIPT) as number[]
    expect(before).toBeGreaterThan(16_000_000)
    expect(after).toBeLessThan(before / 4)
  })
})

describe('A process in service', () => {
  const loaded = outputOf(LOADING_SCRIPT) as string[]

  it('serves the console, whose modules are among those that it loads', () => {
    expect(loaded.some((url) => url.includes('/panel/dist/create-panel.js'))).toBe(true)
  })

  it.each([
    ['what sends traces', /\/@opentelemetry\/sdk-trace\//],
    ['what draws figures', /\/d3-scale\//],
    ['other commands', /\/dist\/commands\/account\.js$/],
    ['connectors of banks', /\/providers\/[^/]+\/dist\/bank\//],
    ['connectors of acquirers', /\/providers\/[^/]+\/dist\/card\//],
    ['simulators', /\/dist\/simulator\//],
  ])('does not load %s', (_, module) => {
    expect(loaded.filter((url) => module.test(url))).toEqual([])
  })
})
