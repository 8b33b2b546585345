import { randomBytes } from 'node:crypto'
import { type Clock, maskCardNumbers } from '@cofre/contracts'
import type { InboxItem, InboxStore } from './inbox-sql.js'

/** The built-in receiver of a store. */
export interface Inbox {
  /** Path at the panel, with an unguessable part, to use as notification URL. */
  readonly path: string
  /** Its answer from now on: 200, or an error to test retries. */
  readonly answer: number
  readonly items: readonly InboxItem[]
}

interface InboxDeps {
  readonly inboxes: InboxStore
  readonly clock: Clock
}

const FOLDER = '/inbox/'
/** 144 bits. */
const ADDRESS_BYTES = 18
const BODY_LENGTH_MAX = 16 * 1024

/** The store's receiver, opened on first use. */
export async function openInbox(
  { inboxes }: Pick<InboxDeps, 'inboxes'>,
  storeId: string,
): Promise<Inbox> {
  const { address, answer } = await inboxes.open(storeId, drawAddress())
  return { path: FOLDER + address, answer, items: await inboxes.items(storeId) }
}

export async function setInboxAnswer(
  { inboxes }: InboxDeps,
  storeId: string,
  answer: number,
): Promise<void> {
  await inboxes.open(storeId, drawAddress())
  await inboxes.setAnswer(storeId, answer)
}

/** Stores a notification and returns the status to answer; undefined for an unknown path. */
export async function receive(
  { inboxes, clock }: InboxDeps,
  path: string,
  { headers, body }: Pick<InboxItem, 'headers' | 'body'>,
): Promise<{ readonly statusCode: number } | undefined> {
  const inbox = path.startsWith(FOLDER)
    ? await inboxes.findByAddress(path.slice(FOLDER.length).replaceAll('\0', ''))
    : undefined
  if (inbox === undefined) return undefined
  const statusCode = inbox.answer
  // PostgreSQL rejects NUL in a text.
  const text = maskCardNumbers(body).slice(0, BODY_LENGTH_MAX).replaceAll('\0', '\u{fffd}')
  const kept = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskCardNumbers(value)]),
  )
  await inboxes.add(inbox.store_id, { atMs: clock.now(), headers: kept, body: text, statusCode })
  return { statusCode }
}

function drawAddress(): string {
  return randomBytes(ADDRESS_BYTES).toString('base64url')
}
