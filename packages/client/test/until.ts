/**
 * Lets promises, WebCrypto's worker threads included, run until the condition holds; works under
 * fake timers.
 */
export async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 20_000) throw new Error(`never came true: ${condition.toString()}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
