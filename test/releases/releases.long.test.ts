// Long: upgrades of releases. Each release's data is migrated, and a shop then works with it for a
// day.
import process from 'node:process'
import { DAY_MS } from '@cofre/contracts'
import { describe, it, onTestFinished } from 'vitest'
import {
  type Installation,
  NOW_MS,
  type Place,
  newPlace,
  openInstallation,
} from './installation.js'
import { PARTS, readRelease, recordedVersions, writeRelease } from './release-data.js'
import { workForADay, workOn } from './story.js'

const { COFRE_RECORD_RELEASE } = process.env

describe.each(['sqlite', 'postgres'] as const)('Data on %s', (engine) => {
  const openAt = async (place: Place, nowMs: number): Promise<Installation> =>
    await openInstallation(place, nowMs)
  const openPlace = async (): Promise<Place> => {
    const place = await newPlace(engine)
    onTestFinished(() => place.remove())
    return place
  }
  const load = async (texts: ReadonlyMap<string, string>): Promise<Place> => {
    const place = await openPlace()
    for (const part of PARTS) await place.load(part, texts.get(`${part}.${engine}`) ?? '')
    return place
  }
  const resume = async (place: Place): Promise<void> => {
    const cofre = await openAt(place, NOW_MS + DAY_MS)
    await workOn(cofre)
    await cofre.close()
  }

  it('of this version is what the next one will open', async () => {
    const cofre = await openAt(await openPlace(), NOW_MS)
    await workForADay(cofre)
    const texts = new Map<string, string>()
    for (const part of PARTS) texts.set(`${part}.${engine}`, await cofre.dump[part]())
    await cofre.close()
    await resume(await load(texts))
    if (COFRE_RECORD_RELEASE !== undefined) writeRelease(COFRE_RECORD_RELEASE, texts)
  })

  it.each(recordedVersions())(
    'of version %s is opened, migrated and worked with',
    async (version) => {
      const texts = PARTS.map(
        (part) => [`${part}.${engine}`, readRelease(version, part, engine)] as const,
      )
      await resume(await load(new Map(texts)))
    },
  )
})
