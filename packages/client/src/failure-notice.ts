import type { FrameSettings } from './card-fields-options.js'

/** What the shopper reads in place of a frame that does not answer. */
export interface FailureNotice {
  show(): void
  hide(): void
}

/** A notice at the end of the element; it is in the page only while it is shown. */
export function noticeIn(
  element: Element,
  { language, failureText }: Pick<FrameSettings, 'language' | 'failureText'>,
): FailureNotice {
  const notice = document.createElement('p')
  notice.setAttribute('role', 'alert')
  notice.lang = language
  return {
    show() {
      element.append(notice)
      // Only then: screen readers read out what changes within an alert.
      notice.textContent = failureText
    },
    hide() {
      notice.remove()
      notice.textContent = ''
    },
  }
}
