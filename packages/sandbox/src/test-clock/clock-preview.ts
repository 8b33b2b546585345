import type { CountsDue } from '../desk/sandbox-desk.js'

/** The sandbox's events for a store while time is skipped. Times are in epoch milliseconds. */
export interface ClockPreview {
  readonly nowMs: number
  readonly thenMs: number
  /** Unpaid payments that expire. */
  readonly expiries: number
  /** Notifications that are sent. */
  readonly notifications: number
  /** Reports of the bank. */
  readonly reports: number
}

/** Previews the events of one store during that time. Changes nothing. */
export type PreviewClock = (
  asked: { readonly storeId: string; readonly durationMs: number },
  desk: CountsDue,
) => Promise<ClockPreview>
