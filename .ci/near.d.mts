/** The test files that find a mistake in these files first, by their paths from the root. */
export function testsNear(files: readonly string[]): string[]
