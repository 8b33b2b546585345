/** Answers of the vault are for one page, once. */
export const NEVER_STORED = { 'Cache-Control': 'no-store' } as const

/** Of every answer of the public routes: a shop's page on any origin may read it, and it is nothing but what it says. */
export const FOR_PAGES = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
} as const

/** What the public routes say of sessions and cards. */
export const FOR_ONE_PAGE = { ...NEVER_STORED, ...FOR_PAGES } as const
