import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Log } from '@cofre/contracts'
import type { Session } from './session.js'

/** Where sessions are kept, so that a restart signs nobody out. */
export interface SessionStore {
  /** Beyond the store's limit, its oldest session ends. */
  add(session: Session): void
  /** Undefined when there is none. The caller checks whether it has expired. */
  find(idHash: string): Session | undefined
  /** Records when a session was last used; does nothing when it is gone. */
  setUsed(idHash: string, atMs: number): void
  remove(idHash: string): void
  /** Removes every session of the store. */
  removeOf(storeId: string): void
}

const OWNER_ONLY = 0o600
/** Beyond this the oldest session ends. */
const SESSIONS_MAX = 1_000
/** Beyond this a store's oldest session ends: one store cannot sign out all others. */
const STORE_SESSIONS_MAX = 50

/**
 * Keeps sessions in a JSON file that has hashes only, for one process at a time. A file that cannot
 * be read or written is logged: then people sign in again, nothing worse.
 */
export function createFileSessionStore(file: string, log: Log): SessionStore {
  const sessions = new Map(readSessions(file, log).map((session) => [session.idHash, session]))
  const keep = (): void => {
    try {
      replaceFile(file, JSON.stringify([...sessions.values()]))
    } catch (error) {
      log.error({ file, reason: reasonOf(error) }, 'could not save the panel sessions')
    }
  }
  return {
    add(session) {
      const own = [...sessions.values()].filter(({ storeId }) => storeId === session.storeId)
      const isCrowded = own.length >= STORE_SESSIONS_MAX
      const [oldest] = isCrowded ? own : sessions.values()
      if ((isCrowded || sessions.size >= SESSIONS_MAX) && oldest !== undefined)
        sessions.delete(oldest.idHash)
      sessions.set(session.idHash, session)
      keep()
    },
    find: (idHash) => sessions.get(idHash),
    setUsed(idHash, atMs) {
      const session = sessions.get(idHash)
      if (session === undefined) return
      sessions.set(idHash, { ...session, usedAtMs: atMs })
      keep()
    },
    remove(idHash) {
      if (sessions.delete(idHash)) keep()
    },
    removeOf(storeId) {
      for (const session of sessions.values())
        if (session.storeId === storeId) sessions.delete(session.idHash)
      keep()
    },
  }
}

function readSessions(file: string, log: Log): readonly Session[] {
  if (!existsSync(file)) return []
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(kept) ? kept.filter(isSession) : []
  } catch (error) {
    log.warn({ file, reason: reasonOf(error) }, 'could not read the panel sessions')
    return []
  }
}

function isSession(value: unknown): value is Session {
  const { idHash, storeId, secretMark, expiresAtMs, usedAtMs } = (value ?? {}) as Partial<Session>
  const texts = [idHash, storeId, secretMark]
  const times = [expiresAtMs, usedAtMs]
  return (
    texts.every((text) => typeof text === 'string') &&
    times.every((time) => typeof time === 'number')
  )
}

/** Readers see the old file or the new one, never a part. */
function replaceFile(file: string, text: string): void {
  const next = `${file}.next`
  mkdirSync(path.dirname(file), { recursive: true })
  // A file left by a crash would keep its own mode.
  rmSync(next, { force: true })
  try {
    writeFileSync(next, text, { mode: OWNER_ONLY, flag: 'wx' })
    renameSync(next, file)
  } finally {
    rmSync(next, { force: true })
  }
}

/** Never the message: a JSON error quotes the file. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? String(error.code) : error.name
}
