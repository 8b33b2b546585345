import { type PeoplePage, textsOfPage } from '../frame/console-page.js'
import { STAFF_TEXTS } from './texts.js'

export const PEOPLE_PAGE: PeoplePage = {
  path: '/people',
  permission: 'people:manage',
  section: 'store',
  rank: 20,
  icon: 'M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 20c0-4 3-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 5M18 14c2 1 3 3 3 6',
  texts: textsOfPage(STAFF_TEXTS, 'people'),
  load: async () => (await import('./people-pages.js')).peoplePages,
}

export const ACTS_PAGE: PeoplePage = {
  path: '/acts',
  permission: 'acts:read',
  section: 'store',
  rank: 30,
  icon: 'M6 3h9l4 4v14H6zM9 9h7M9 13h7M9 17h4',
  texts: textsOfPage(STAFF_TEXTS, 'acts'),
  load: async () => (await import('./acts-page.js')).actsPage,
}
