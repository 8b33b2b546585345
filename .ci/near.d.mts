/** The test files that answer first after a change of these files, by their paths from the root. */
export function testsNear(files: readonly string[]): string[]
