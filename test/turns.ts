/** Number of turns of the event loop during the work. */
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
