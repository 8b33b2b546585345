import type { PageName } from '../text/texts.js'

const PATHS: Readonly<Record<PageName, string>> = {
  transactions: 'M3 7h18v11H3zM3 11h18M7 15h4',
  notifications: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  receiver: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  requests: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  checklist: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M12 6h8M12 12h8M12 18h8',
  'test-data': 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 14h8',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  settlement: 'M4 8h13l-3-3M20 16H7l3 3',
  credentials: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3',
  reset: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
}

export function PageIcon({ name }: { readonly name: PageName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
