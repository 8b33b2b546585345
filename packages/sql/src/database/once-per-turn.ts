/**
 * Lets all callers that ask the same in one turn of the event loop share one answer. The answer is
 * read in that turn, so it includes every change that any process had confirmed before. Every
 * request reads its store: without this, searches on PostgreSQL ran at 0.8 of the rate (node
 * bench/checkouts.mjs).
 * @param nameOf - Returns the same key for equal questions; default: the question itself.
 */
export function oncePerTurn<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  nameOf: (question: Question) => unknown = (question) => question,
): (question: Question) => Promise<Answer> {
  const asked = new Map<unknown, Promise<Answer>>()
  return (question) => {
    const name = nameOf(question)
    const known = asked.get(name)
    if (known !== undefined) return known
    if (asked.size === 0)
      setImmediate(() => {
        asked.clear()
      })
    const answer = ask(question)
    asked.set(name, answer)
    return answer
  }
}
