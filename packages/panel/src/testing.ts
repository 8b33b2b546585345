// A console over fakes, for tests of pages.
export { type OpenConsole, openConsole } from './testing/console.js'
export {
  type Developer,
  PANEL_URL,
  cookieHeader,
  hiddenValue,
  textOf,
} from './testing/developer.js'
export { someOf } from './testing/list-pages.js'
export { NOW_MS, STORE_ID, shownAccount } from './testing/sandbox.js'
