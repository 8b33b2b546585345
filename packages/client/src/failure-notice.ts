import type { FrameSettings } from './card-fields-options.js'

/** Notice to the shopper, in place of a frame that does not answer. */
export interface FailureNotice {
  show(): void
  hide(): void
}

/** A notice at the end of the element. It is in the page only while shown. */
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
      // After insertion: screen readers announce changes within an alert.
      notice.textContent = failureText
    },
    hide() {
      notice.remove()
      notice.textContent = ''
    },
  }
}
