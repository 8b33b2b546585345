// A console over fakes, for tests of pages.
export { API_URL, CODE, type OpenConsole, openConsole } from './testing/console.js'
export {
  type Developer,
  PANEL_URL,
  cookieHeader,
  hiddenValue,
  visibleText,
} from './testing/developer.js'
export { someOf } from './testing/list-pages.js'
export { NOW_MS, OTHER_STORE_ID, STORE_ID, fakeStores, shownAccount } from './testing/sandbox.js'
export { pixPayment, refusedNotification } from './testing/shown-records.js'
