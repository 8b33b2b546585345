/** A notification that reached the built-in receiver. */
export interface InboxItem {
  readonly id: number
  readonly atMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What the receiver answered. */
  readonly statusCode: number
}

/** The built-in receiver of a store. */
export interface Inbox {
  /** Path at the panel, with an unguessable part, to use as notification URL. */
  readonly path: string
  /** What it answers from now on: 200, or an error to see retries. */
  readonly answer: number
  readonly items: readonly InboxItem[]
}
