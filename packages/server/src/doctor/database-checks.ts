import { statfs } from 'node:fs/promises'
import { SECOND_MS } from '@cofre/contracts'
import {
  BrokenLockFileError,
  type DatabaseInspection,
  checkSqlitePages,
  fileLockHolder,
  isDamage,
  isFileThere,
} from '@cofre/sql'
import type { Config } from '../config/config.js'
import {
  type ConfiguredDatabase,
  MISFITS,
  RESTORE_ADVICE,
  folderOf,
} from '../installation/databases.js'
import { brokenLockAdvice, servingLockOf } from '../installation/files.js'
import { FOLDER_ADVICE, writeProblem } from './folder-checks.js'
import { type Finding, about, messageOf } from './finding.js'

/** Service signatures allow two minutes; leases and sessions use the machine's clock. */
const CLOCK_WARNING_MS = SECOND_MS
const CLOCK_PROBLEM_MS = 30 * SECOND_MS
const FREE_BYTES_MIN = 1024 ** 3

/** Checks that this version can reach and write a database, and compares its clock. */
export async function checkDatabase(
  config: Config,
  database: ConfiguredDatabase,
): Promise<readonly (Finding | undefined)[]> {
  const { problem } = about(`database ${database.name}`)
  const folder = folderOf(config, database)
  try {
    const inspection = await database.inspect(config)
    const subject = about(`database ${database.name}`)
    return [
      tablesOf(subject, folder, inspection),
      servedBy(config, database),
      clockOf(subject, inspection),
      checksumsOf(subject, inspection),
      ...serversOf(subject, inspection),
      await spaceOf(subject, folder),
    ]
  } catch (error) {
    if (isDamage(error)) return [problem(messageOf(error), RESTORE_ADVICE)]
    const { variable } = database
    const advice =
      folder === undefined
        ? `check that it runs, and check ${variable}`
        : `check that this user may read and write it, and check COFRE_DATA_DIR and ${variable}`
    return [problem(`cannot be reached: ${messageOf(error)}`, advice)]
  }
}

/**
 * Checks every page of a database file, which reads all of it. `checkDatabase` reports a file too
 * damaged for this check.
 */
export async function checkPages(
  config: Config,
  database: ConfiguredDatabase,
): Promise<Finding | undefined> {
  const { ok, problem } = about(`database ${database.name}`)
  const file = database.fileIn(config)
  try {
    await database.inspect(config)
    if (file === undefined || !isFileThere(file)) return undefined
  } catch {
    return undefined
  }
  try {
    checkSqlitePages(file, 'full')
    return ok('all its pages are intact')
  } catch (error) {
    return isDamage(error)
      ? problem(messageOf(error), RESTORE_ADVICE)
      : problem(`cannot be read completely: ${messageOf(error)}`, 'try again')
  }
}

type Subject = ReturnType<typeof about>

/**
 * Names the process that serves a file. An unreadable lock is no sign of damage to the database.
 */
function servedBy(config: Config, database: ConfiguredDatabase): Finding | undefined {
  const lock = servingLockOf(config, database)
  if (lock === undefined) return undefined
  try {
    const held = fileLockHolder(lock)
    if (held === undefined) return undefined
    const holder = held.holder === undefined ? 'a process' : `process ${held.holder}`
    return about(`database ${database.name}`).ok(`served by ${holder} now`)
  } catch (error) {
    const isBroken = error instanceof BrokenLockFileError
    return about(`lock ${lock}`).problem(
      `cannot be inspected: ${messageOf(error)}`,
      isBroken ? brokenLockAdvice(lock) : 'check that this user may read it',
    )
  }
}

function tablesOf(
  { ok, warning, problem }: Subject,
  folder: string | undefined,
  inspection: DatabaseInspection,
): Finding {
  const { isNew, isForeign, isOutdated, notWritable, missing, unknown } = inspection
  if (notWritable !== undefined)
    return problem(
      `cannot be written: ${notWritable}`,
      'give this process’s user the right to write',
    )
  const { newer, outdated, foreign } = MISFITS
  if (isOutdated) return problem(outdated.reason, outdated.advice)
  if (isForeign) return problem(`${foreign.reason}: ${unknown.join(', ')}`, foreign.advice)
  if (unknown.length > 0) return problem(`${newer.reason}: ${unknown.join(', ')}`, newer.advice)
  const reason = isNew && folder !== undefined ? writeProblem(folder) : undefined
  if (reason !== undefined)
    return problem(`does not exist, and cannot be created: ${reason}`, FOLDER_ADVICE)
  if (isNew) return ok('does not exist yet: the first start creates it')
  if (missing.length > 0)
    return warning(
      `${missing.length} migrations are missing, from ${missing[0] ?? ''}`,
      inspection.isAloneNext
        ? 'stop all gateways and workers first, back it up, then run cofre migrate'
        : 'back it up, then run cofre migrate, or start the processes',
    )
  return ok('reachable, writable, up to date')
}

function clockOf({ ok, warning, problem }: Subject, { clockAheadMs }: DatabaseInspection) {
  if (clockAheadMs === undefined) return undefined
  const byMs = Math.abs(clockAheadMs)
  const difference = `its clock is ${(byMs / SECOND_MS).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
  const advice = 'synchronize both clocks (NTP)'
  if (byMs >= CLOCK_PROBLEM_MS) return problem(difference, advice)
  if (byMs >= CLOCK_WARNING_MS) return warning(difference, advice)
  return ok("its clock agrees with this machine's")
}

function checksumsOf({ problem }: Subject, { damagedPages = 0 }: DatabaseInspection) {
  if (damagedPages === 0) return undefined
  return problem(
    `its server has read ${damagedPages} pages with wrong checksums`,
    `${RESTORE_ADVICE}; afterwards: select pg_stat_reset()`,
  )
}

function serversOf(
  subject: Subject,
  { servers, waitsForStandby }: DatabaseInspection,
): readonly Finding[] {
  if (servers.length === 0) return []
  const roles = rolesOf(subject, servers)
  if (waitsForStandby) return [roles]
  const lossy = subject.warning(
    'a commit does not wait for a standby: acknowledged payments may be lost in a failover',
    'set synchronous_standby_names on the primary (docs/replication.md)',
  )
  return [roles, lossy]
}

function rolesOf(
  { ok, warning, problem }: Subject,
  servers: DatabaseInspection['servers'],
): Finding {
  const found = servers
    .map(({ name, state, reason }) =>
      state === 'away' ? `${name} is not reached (${reason ?? ''})` : `${name} is a ${state}`,
    )
    .join(', ')
  if (servers.filter(({ state }) => state === 'primary').length > 1)
    return problem(found, 'stop one of them at once: both take payments (docs/replication.md)')
  if (servers.some(({ state }) => state === 'away'))
    return warning(found, 'check that it runs and can be reached from here: a failover needs it')
  return ok(found)
}

async function spaceOf({ warning }: Subject, folder: string | undefined) {
  if (folder === undefined) return undefined
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
  if (bavail * bsize >= FREE_BYTES_MIN) return undefined
  const free = Math.round((bavail * bsize) / 1024 ** 2)
  return warning(
    `its disk has ${free} MiB left`,
    'free some space: Cofre accepts nothing on a full disk',
  )
}
