// Waits that end: a benchmark that waits for ever tells nothing.
const LOOK_MS = 20

export async function within(deadlineMs, what, isDone) {
  const deadline = performance.now() + deadlineMs
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`no ${what} within ${deadlineMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
