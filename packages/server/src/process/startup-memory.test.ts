import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { describe, expect, it } from 'vitest'

const MODULE = new URL('startup-memory.ts', import.meta.url)

/** In a process of its own, whose young generation nobody else fills. */
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

describe('The memory that only the start needed', () => {
  it('is given back', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      encoding: 'utf8',
    })
    const [before = 0, after = 0] = JSON.parse(output) as number[]
    expect(before).toBeGreaterThan(16_000_000)
    expect(after).toBeLessThan(before / 4)
  })
})
