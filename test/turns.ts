/** How often the event loop turns while the work is under way. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(counting)
  }
  return turns
}
