// The registry of the console's own pages. Rooms add theirs.
import type { PeoplePage, SandboxPage, SandboxPagesBelow } from './frame/console-page.js'
import {
  CHECKLIST_PAGE,
  CLOCK_PAGE,
  SIMULATED_PAYMENT,
  RECEIVER_PAGE,
  REQUESTS_PAGE,
  RESET_PAGE,
  SETTLEMENT_PAGE,
  TEST_DATA_PAGE,
} from './sandbox/pages.js'
import { ACTS_PAGE, PEOPLE_PAGE } from './staff/pages.js'
import { CREDENTIALS_PAGE } from './credentials/page.js'

export const PEOPLE_PAGES: readonly PeoplePage[] = [PEOPLE_PAGE, ACTS_PAGE]

export const SANDBOX_PAGES: readonly (SandboxPage | SandboxPagesBelow)[] = [
  SIMULATED_PAYMENT,
  RECEIVER_PAGE,
  REQUESTS_PAGE,
  CHECKLIST_PAGE,
  TEST_DATA_PAGE,
  CLOCK_PAGE,
  SETTLEMENT_PAGE,
  CREDENTIALS_PAGE,
  RESET_PAGE,
]
