import { type FrameLocator, expect } from '@playwright/test'

/**
 * Waits until the script of the card fields runs, which then says its height: what is pressed or
 * typed before reaches nobody.
 */
export async function expectRunning(frame: FrameLocator): Promise<void> {
  await expect(frame.owner()).toHaveAttribute('style', /height/)
}
