import { type FrameLocator, expect } from '@playwright/test'

/**
 * Waits until the script of the card fields runs and reports its height: keys and clicks before
 * that are lost.
 */
export async function expectRunning(frame: FrameLocator): Promise<void> {
  await expect(frame.owner()).toHaveAttribute('style', /height/)
}
