import { statfs } from 'node:fs/promises'
import { SECOND_MS } from '@cofre/contracts'
import type { DatabaseInspection } from '@cofre/sql'
import {
  BrokenLockFileError,
  checkSqlitePages,
  fileLockHolder,
  isDamage,
  isFileThere,
} from '@cofre/sql'
import { sqliteFileOf } from '../config/sqlite-file.js'
import { type ConfiguredDatabase, folderOf, variableOf } from '../configured-databases.js'
import {
  FOREIGN_ADVICE,
  NEWER_ADVICE,
  OUTDATED_ADVICE,
  RESTORE_ADVICE,
} from '../opened-database.js'
import { brokenLockAdvice, servingLockOf } from '../serving-lock.js'
import { FOLDER_ADVICE, whyNotWritable } from './folder-checks.js'
import { type Finding, messageOf, ok, problem, warning } from './finding.js'

/** Signatures of the service port allow two minutes; leases and sessions go by the machine's clock. */
const CLOCK_WARNING_MS = SECOND_MS
const CLOCK_PROBLEM_MS = 30 * SECOND_MS
const FREE_BYTES_MIN = 1024 ** 3

/** Whether a database can be reached, written and worked on by this version, and what its clock says. */
export async function checkDatabase(database: ConfiguredDatabase): Promise<readonly Finding[]> {
  const subject = `database ${database.name}`
  try {
    const inspection = await database.inspect()
    return [
      tablesOf(database, inspection),
      ...servedBy(subject, database),
      ...clockOf(subject, inspection),
      ...checksumsOf(subject, inspection),
      ...(await spaceOf(subject, database)),
    ]
  } catch (error) {
    if (isDamage(error)) return [damaged(subject, error)]
    const variable = variableOf(database.name)
    return [
      problem(
        subject,
        `cannot be reached: ${messageOf(error)}`,
        folderOf(database.url) === undefined
          ? `check that it runs, and what ${variable} says`
          : `check that this user may read and write it, and what COFRE_DATA_DIR and ${variable} say`,
      ),
    ]
  }
}

/**
 * Whether every page of a database that is a file is whole. Of a damaged one that could not even be looked at, the look has told.
 * Reads all of it.
 */
export async function checkPages(database: ConfiguredDatabase): Promise<readonly Finding[]> {
  const file = sqliteFileOf(database.url)
  try {
    await database.inspect()
    if (file === undefined || !isFileThere(file)) return []
  } catch {
    return []
  }
  const subject = `database ${database.name}`
  try {
    checkSqlitePages(file, 'full')
    return [ok(subject, 'every page of it is whole')]
  } catch (error) {
    return [
      isDamage(error)
        ? damaged(subject, error)
        : problem(subject, `cannot be read whole: ${messageOf(error)}`, 'try again'),
    ]
  }
}

function damaged(subject: string, error: unknown): Finding {
  return problem(subject, messageOf(error), RESTORE_ADVICE)
}

/** Who serves a file now: no second process may. A lock that cannot be looked at says nothing of the database. */
function servedBy(subject: string, { url, name }: ConfiguredDatabase): readonly Finding[] {
  const lock = name === 'sandbox' || name === 'bank' ? undefined : servingLockOf(url)
  if (lock === undefined) return []
  try {
    const held = fileLockHolder(lock)
    if (held === undefined) return []
    const holder = held.holder === undefined ? 'a process' : `process ${held.holder}`
    return [ok(subject, `served by ${holder} now`)]
  } catch (error) {
    const advice =
      error instanceof BrokenLockFileError
        ? brokenLockAdvice(lock)
        : 'check that this user may read it'
    return [problem(`lock ${lock}`, `cannot be looked at: ${messageOf(error)}`, advice)]
  }
}

function tablesOf({ name, url }: ConfiguredDatabase, inspection: DatabaseInspection): Finding {
  const subject = `database ${name}`
  const { isNew, isForeign, isOutdated, notWritable, missing, unknown } = inspection
  if (notWritable !== undefined)
    return problem(
      subject,
      `cannot be written: ${notWritable}`,
      'give the user of this process the right to write',
    )
  if (isOutdated)
    return problem(
      subject,
      'was made by Cofre 0.1, which this version cannot read',
      OUTDATED_ADVICE,
    )
  if (isForeign)
    return problem(
      subject,
      `is that of another part of Cofre, or of another program: ${unknown.join(', ')}`,
      FOREIGN_ADVICE,
    )
  if (unknown.length > 0)
    return problem(
      subject,
      `has migrations of a newer version: ${unknown.join(', ')}`,
      NEWER_ADVICE,
    )
  const folder = folderOf(url)
  const reason = isNew && folder !== undefined ? whyNotWritable(folder) : undefined
  if (reason !== undefined)
    return problem(subject, `not there, and cannot be created: ${reason}`, FOLDER_ADVICE)
  if (isNew) return ok(subject, 'not there yet: the first start creates it')
  if (missing.length > 0)
    return warning(
      subject,
      `${missing.length} migrations are missing, from ${missing[0] ?? ''}`,
      'back it up, then run cofre migrate, or start the processes',
    )
  return ok(subject, 'reachable, writable, up to date')
}

function clockOf(subject: string, { clockAheadMs }: DatabaseInspection): readonly Finding[] {
  if (clockAheadMs === undefined) return []
  const told = `its clock is ${(Math.abs(clockAheadMs) / SECOND_MS).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
  const advice = 'synchronize both clocks (NTP)'
  if (Math.abs(clockAheadMs) >= CLOCK_PROBLEM_MS) return [problem(subject, told, advice)]
  if (Math.abs(clockAheadMs) >= CLOCK_WARNING_MS) return [warning(subject, told, advice)]
  return [ok(subject, "its clock agrees with this machine's")]
}

function checksumsOf(
  subject: string,
  { damagedPages = 0 }: DatabaseInspection,
): readonly Finding[] {
  if (damagedPages === 0) return []
  return [
    problem(
      subject,
      `its server has read ${damagedPages} pages whose checksums do not fit`,
      `${RESTORE_ADVICE}; once that is done: select pg_stat_reset()`,
    ),
  ]
}

async function spaceOf(subject: string, { url }: ConfiguredDatabase): Promise<readonly Finding[]> {
  const folder = folderOf(url)
  if (folder === undefined) return []
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
  if (bavail * bsize >= FREE_BYTES_MIN) return []
  const free = Math.round((bavail * bsize) / 1024 ** 2)
  return [
    warning(
      subject,
      `its disk has ${free} MiB left`,
      'make room: nothing is accepted on a full disk',
    ),
  ]
}
