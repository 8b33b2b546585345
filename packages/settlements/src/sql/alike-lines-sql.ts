// Gives equal lines of a file different fingerprints, by the number of equal lines before. A
// look-up by fingerprint then never matches many lines.
import { createHash } from 'node:crypto'
import type { Connection } from '@cofre/sql'
import type { RoomTables } from './settlement-tables.js'

type Db = Connection<RoomTables>

const FINGERPRINT_LENGTH = 32

/**
 * Equal for a line of another file with the same content and the same number of equal lines before.
 */
function fingerprintOf(texts: string, before: number): string {
  const text = before === 0 ? texts : `${before} ${texts}`
  return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_LENGTH)
}

interface FileOfStore {
  readonly fileId: number
  readonly storeId: string
}

/** The fingerprints of the next lines of a file, by their contents. */
export async function nextFingerprints(
  trx: Db,
  file: FileOfStore,
  texts: readonly string[],
): Promise<readonly string[]> {
  const before = await countBefore(trx, file, new Set(texts))
  return texts.map((text) => {
    const count = before.get(text) ?? 0
    before.set(text, count + 1)
    return fingerprintOf(text, count)
  })
}

/**
 * The search for the number of stored lines with a content: fewer than `below`, and at least
 * `count`.
 */
interface Search {
  readonly texts: string
  count: number
  below: number | undefined
}

/** Bisects for all contents at once: most have no earlier line, and need one query. */
async function countBefore(
  trx: Db,
  { fileId, storeId }: FileOfStore,
  texts: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const searches = [...texts].map((text): Search => ({ texts: text, count: 0, below: undefined }))
  let open: readonly Search[] = searches
  while (open.length > 0) {
    const probes = open.map((search) => {
      const at = probeOf(search)
      return { search, at, fingerprint: fingerprintOf(search.texts, at) }
    })
    const rows = await trx
      .selectFrom('settlement_lines')
      .select('fingerprint')
      .where('merchant_id', '=', storeId)
      .where(
        'fingerprint',
        'in',
        probes.map(({ fingerprint }) => fingerprint),
      )
      .where('file_id', '=', fileId)
      .execute()
    const kept = new Set(rows.map(({ fingerprint }) => fingerprint))
    for (const { search, at, fingerprint } of probes)
      if (kept.has(fingerprint)) search.count = at + 1
      else search.below = at
    open = open.filter(({ count, below }) => count !== below)
  }
  return new Map(searches.map(({ texts: text, count }) => [text, count]))
}

function probeOf({ count, below }: Search): number {
  return below === undefined ? count * 2 : Math.floor((count + below) / 2)
}
