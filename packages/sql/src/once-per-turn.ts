/**
 * Lets all who ask for the same within one turn of the event loop share one answer. It is asked for in that turn, so a change
 * that somebody was told of before, in whatever process, is seen.
 */
export function oncePerTurn<Key, Answer>(
  ask: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const asked = new Map<Key, Promise<Answer>>()
  return (key) => {
    const known = asked.get(key)
    if (known !== undefined) return known
    if (asked.size === 0)
      setImmediate(() => {
        asked.clear()
      })
    const answer = ask(key)
    asked.set(key, answer)
    return answer
  }
}
