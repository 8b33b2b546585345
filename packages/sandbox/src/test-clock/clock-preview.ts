import type { CountsDue } from '../desk/sandbox-desk.js'

/** What the sandbox does for a store while time passes. Times in epoch milliseconds. */
export interface ClockPreview {
  readonly nowMs: number
  readonly thenMs: number
  /** Unpaid payments that lapse. */
  readonly expiries: number
  /** Notifications that are sent. */
  readonly notifications: number
  /** What the bank reports. */
  readonly reports: number
}

/** Says what so much time would do for a store: what others do is theirs. Moves nothing. */
export type PreviewClock = (
  asked: { readonly storeId: string; readonly durationMs: number },
  desk: CountsDue,
) => Promise<ClockPreview>
