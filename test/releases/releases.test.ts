import { describe, expect, it } from 'vitest'
import { PARTS, migrationTexts, readRelease, recordedVersions } from './release-data.js'

describe.each(['sqlite', 'postgres'] as const)('Data on %s', (engine) => {
  it.each(recordedVersions())('of version %s was made by migrations as they are', (version) => {
    for (const part of PARTS) {
      const recorded = readRelease(version, part, engine)
      for (const [name, text] of migrationTexts(part, engine))
        if (recorded.includes(`'${name}'`)) expect(recorded).toContain(text)
    }
  })
})
