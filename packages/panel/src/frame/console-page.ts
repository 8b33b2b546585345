import type { Language } from '@cofre/pages'
import type { ConsolePages } from './console-pages.js'
import type { PanelParts, PeopleParts, SandboxParts } from '../visit/panel-parts.js'
import type { PageTexts, ShownPage } from '../visit/shown-page.js'

/** Loads the function that adds the page's addresses, if the console has them. */
type LoadPages<Parts> = () => Promise<(pages: ConsolePages, parts: Parts) => void>

/**
 * A page of the console, in a folder of its own. Elsewhere, only a row of the registry names it.
 */
export interface ConsolePage<Parts = PanelParts> extends ShownPage {
  readonly load: LoadPages<Parts>
}

/** Pages below another folder's page of the navigation, with titles of their own. */
export interface PagesBelow<Parts = PanelParts> extends Pick<ShownPage, 'permission'> {
  /** The path of that page: `/payments`. */
  readonly below: string
  readonly load: LoadPages<Parts>
}

export type RoomPages = ConsolePage | PagesBelow

/** A page of a console with people. */
export type PeoplePage = ConsolePage<PeopleParts>

/** A page of the sandbox alone. */
export type SandboxPage = ConsolePage<SandboxParts>

/** Pages of the sandbox alone, below a page of both environments. */
export type SandboxPagesBelow = PagesBelow<SandboxParts>

/** A page's texts for the frame, from the texts beside the page. */
export function textsOfPage<Name extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Name, PageTexts>>>>,
  name: Name,
): Readonly<Record<Language, PageTexts>> {
  return { 'pt-BR': texts['pt-BR'][name], en: texts.en[name] }
}
