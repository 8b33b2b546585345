import type { Language } from '@cofre/pages'
import type { Permission } from '@cofre/people'

/** The sections of the navigation, from the top. */
export const SECTIONS = ['payments', 'tools', 'store'] as const

export interface PageTexts {
  /** The name in the navigation. */
  readonly menu: string
  readonly title: string
  readonly intro?: string
}

/** Shared by a page's addresses: their place in the navigation, and the permission. */
export type PageFrame = Pick<ShownPage, 'path' | 'permission'> & Partial<Pick<ShownPage, 'texts'>>

/** A page that the navigation leads to, with the pages below it, as the frame shows it. */
export interface ShownPage {
  /** Path within a store: `/figures`. */
  readonly path: string
  /** The permission that the page and those below it require. */
  readonly permission: Permission
  readonly section: (typeof SECTIONS)[number]
  /** Order within the section; the lowest comes first. */
  readonly rank: number
  /** Lines of its icon, as path data in a box of 24 by 24. */
  readonly icon: string
  readonly texts: Readonly<Record<Language, PageTexts>>
  /** Texts of values in the log of acts, by the detail's name. */
  readonly values?: Readonly<
    Record<string, (value: string, language: Language) => string | undefined>
  >
}
