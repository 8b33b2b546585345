import type { Language } from '@cofre/pages'
import type { Permission } from '@cofre/people'

/** The sections of the navigation, from the top. */
export const SECTIONS = ['payments', 'tools', 'store'] as const

export interface PageTexts {
  /** In the navigation. */
  readonly menu: string
  readonly title: string
  readonly intro?: string
}

/** What addresses have in common: their place in the navigation, and what they want. */
export type PageFrame = Pick<ShownPage, 'path' | 'permission'> & Partial<Pick<ShownPage, 'texts'>>

/** A page that the navigation leads to, with the pages below it, as the frame shows it. */
export interface ShownPage {
  /** Within a store: `/figures`. */
  readonly path: string
  /** What the page and those below it want of a reader. */
  readonly permission: Permission
  readonly section: (typeof SECTIONS)[number]
  /** Its place in the section: the lowest is the first. */
  readonly rank: number
  /** Lines of its icon, as path data in a box of 24 by 24. */
  readonly icon: string
  readonly texts: Readonly<Record<Language, PageTexts>>
  /** How the log of acts calls values of its acts' details, by the detail's name. */
  readonly values?: Readonly<
    Record<string, (value: string, language: Language) => string | undefined>
  >
}
