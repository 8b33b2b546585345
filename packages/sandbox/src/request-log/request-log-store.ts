import type { RecordedRequest } from './recorded-request.js'

/** A step of the integration that only requests show. */
export type RequestMilestone = 'card-saved-used' | 'installments-looked-up' | 'error-handled'

/** The last requests of each store, masked before they come here. */
export interface RequestLogStore {
  /** Keeps a request, and of the store's requests only the last thousand. */
  add(storeId: string, request: Omit<RecordedRequest, 'id'>): Promise<void>
  /** A page, newest first, and how many there are on all pages. */
  list(
    storeId: string,
    query: { readonly failedOnly: boolean; readonly page: number; readonly pageSize: number },
  ): Promise<{ readonly requests: readonly RecordedRequest[]; readonly found: number }>
  find(storeId: string, id: number): Promise<RecordedRequest | undefined>
  /** Oldest first. */
  findOf(storeId: string, transactionCode: string): Promise<readonly RecordedRequest[]>
  /** Whether a request of the method and path was refused before. */
  hasRefused(storeId: string, method: string, path: string): Promise<boolean>
  /** Keeps when a step was first reached. */
  reach(storeId: string, step: RequestMilestone, atMs: number): Promise<void>
  milestones(storeId: string): Promise<ReadonlyMap<RequestMilestone, number>>
  /** The newest request's id; 0 when there is none. */
  newest(storeId: string): Promise<number>
  /** Forgets the store's requests and steps. */
  empty(storeId: string): Promise<void>
}
