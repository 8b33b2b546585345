import type { AuditEntry, ChainLink, ChainedEntry } from './audit-entry.js'

export interface AuditReader {
  /** The end of the chain; undefined when its record is gone. */
  head(): Promise<ChainLink | undefined>
  /**
   * Every entry that has a place, in order, whatever place that is: two may claim one.
   * @param after - The first one is the first after this; from the very first when undefined.
   */
  chained(
    after: Pick<ChainedEntry, 'position' | 'id'> | undefined,
    limit: number,
  ): Promise<readonly ChainedEntry[]>
  /** The latest entries, chained or not, newest first. */
  latest(filter: AuditFilter): Promise<readonly AuditEntry[]>
}

export interface AuditFilter {
  readonly limit: number
  readonly action?: string | undefined
  readonly record?: string | undefined
  readonly sinceMs?: number | undefined
}

/** Entries are only ever added: nothing here changes or removes one. */
export interface AuditStore extends AuditReader {
  append(entry: AuditEntry): Promise<void>
  /** The end of the chain, for this unit of work alone until it ends. */
  lockHead(): Promise<ChainLink | undefined>
  moveHead(head: ChainLink): Promise<void>
  /** Entries without a place in the chain, oldest first. */
  unchained(limit: number): Promise<readonly AuditEntry[]>
  /** Gives entries their places in the chain. */
  chain(entries: readonly ChainedEntry[]): Promise<void>
}
