export function pause(durationMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
