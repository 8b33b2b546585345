import type { Permission } from '@cofre/people'
import type { PageName } from '../text/texts.js'

interface NavigationPage {
  /** Within a store. */
  readonly address: string
  /** What it wants of whoever sees it and the pages below it. */
  readonly needs: Permission
}

/** Every page that the navigation leads to. */
export const PAGES = {
  transactions: { address: '/payments', needs: 'payments:read' },
  'payment-links': { address: '/payment-links', needs: 'payment-links:read' },
  figures: { address: '/figures', needs: 'figures:read' },
  settlements: { address: '/settlements', needs: 'settlements:read' },
  notifications: { address: '/notifications', needs: 'notifications:read' },
  receiver: { address: '/receiver', needs: 'sandbox:tools' },
  requests: { address: '/requests', needs: 'sandbox:tools' },
  checklist: { address: '/checklist', needs: 'sandbox:tools' },
  'test-data': { address: '/test-data', needs: 'sandbox:tools' },
  clock: { address: '/clock', needs: 'sandbox:tools' },
  settlement: { address: '/settlement', needs: 'sandbox:tools' },
  store: { address: '/store', needs: 'store:settings' },
  people: { address: '/people', needs: 'people:manage' },
  acts: { address: '/acts', needs: 'acts:read' },
  credentials: { address: '/credentials', needs: 'sandbox:secret' },
  reset: { address: '/reset', needs: 'sandbox:reset' },
} as const satisfies Readonly<Record<PageName, NavigationPage>>

export const NAVIGATION = {
  payments: [
    'transactions',
    'payment-links',
    'figures',
    'settlements',
    'notifications',
    'receiver',
    'requests',
  ],
  tools: ['checklist', 'test-data', 'clock', 'settlement'],
  store: ['store', 'people', 'acts', 'credentials', 'reset'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>
