import type { InboxItem } from './inbox.js'

/** A store's receiver of notifications, as it is kept. */
export interface KeptInbox {
  readonly storeId: string
  /** The unguessable part of its path. */
  readonly address: string
  /** HTTP status that it answers. */
  readonly answer: number
}

export interface InboxStore {
  /** The store's inbox; opened at the address when it has none yet. */
  open(storeId: string, address: string): Promise<KeptInbox>
  findByAddress(address: string): Promise<KeptInbox | undefined>
  setAnswer(storeId: string, answer: number): Promise<void>
  /** Keeps what arrived, and of the store's items only the last two hundred. */
  add(storeId: string, item: Omit<InboxItem, 'id'>): Promise<void>
  /** Newest first. */
  items(storeId: string): Promise<readonly InboxItem[]>
  /** A text that differs when the inbox has changed. */
  revision(storeId: string): Promise<string>
  empty(storeId: string): Promise<void>
}
