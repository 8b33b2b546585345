import { type SandboxPage, type SandboxPagesBelow, textsOfPage } from '../frame/console-page.js'
import { SANDBOX_TEXTS } from './texts.js'

export const RECEIVER_PAGE: SandboxPage = {
  path: '/receiver',
  permission: 'sandbox:tools',
  section: 'payments',
  rank: 60,
  icon: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  texts: textsOfPage(SANDBOX_TEXTS, 'receiver'),
  load: async () => (await import('./receiver.js')).receiverPages,
}

/** The forms that simulate the bank on a payment's page. */
export const SIMULATED_PAYMENT: SandboxPagesBelow = {
  below: '/payments',
  permission: 'payments:read',
  load: async () => (await import('./simulated-payment.js')).simulatedPaymentActions,
}

export const REQUESTS_PAGE: SandboxPage = {
  path: '/requests',
  permission: 'sandbox:tools',
  section: 'payments',
  rank: 70,
  icon: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  texts: textsOfPage(SANDBOX_TEXTS, 'requests'),
  load: async () => (await import('./requests.js')).requestPages,
}

export const CHECKLIST_PAGE: SandboxPage = {
  path: '/checklist',
  permission: 'sandbox:tools',
  section: 'tools',
  rank: 10,
  icon: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M12 6h8M12 12h8M12 18h8',
  texts: textsOfPage(SANDBOX_TEXTS, 'checklist'),
  load: async () => (await import('./checklist.js')).checklistPage,
}

export const TEST_DATA_PAGE: SandboxPage = {
  path: '/test-data',
  permission: 'sandbox:tools',
  section: 'tools',
  rank: 20,
  icon: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 14h8',
  texts: textsOfPage(SANDBOX_TEXTS, 'test-data'),
  load: async () => (await import('./test-data.js')).testDataPage,
}

export const CLOCK_PAGE: SandboxPage = {
  path: '/clock',
  permission: 'sandbox:tools',
  section: 'tools',
  rank: 30,
  icon: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  texts: textsOfPage(SANDBOX_TEXTS, 'clock'),
  load: async () => (await import('./clock.js')).clockPages,
}

export const SETTLEMENT_PAGE: SandboxPage = {
  path: '/settlement',
  permission: 'sandbox:tools',
  section: 'tools',
  rank: 40,
  icon: 'M4 8h13l-3-3M20 16H7l3 3',
  texts: textsOfPage(SANDBOX_TEXTS, 'settlement'),
  load: async () => (await import('./settlement.js')).settlementPages,
}

export const RESET_PAGE: SandboxPage = {
  path: '/reset',
  permission: 'sandbox:reset',
  section: 'store',
  rank: 50,
  icon: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  texts: textsOfPage(SANDBOX_TEXTS, 'reset'),
  load: async () => (await import('./reset.js')).resetPages,
}
