/** The token in a user agent, and the browser's name; the first match counts. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A browser and its system, according to its user agent. */
export interface BrowserName {
  readonly browser: string
  readonly system: string
}

/** Undefined unless the user agent names both. */
export function browserNameOf(userAgent: string): BrowserName | undefined {
  const find = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([part]) => userAgent.includes(part))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  return browser === undefined || system === undefined ? undefined : { browser, system }
}
