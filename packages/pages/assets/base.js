// Copy buttons. Without this script, pages hide them.

const COPIED_MS = 2000

/**
 * Copies `data-text` or the text of the element that `data-copy` names; the button then shows
 * `data-copied`.
 */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  if (source === null) return
  try {
    await navigator.clipboard.writeText(button.dataset.text ?? source.value ?? source.textContent)
  } catch {
    // Pages without https have no clipboard: the text is selected for the reader to copy.
    if ('select' in source) source.select()
    else getSelection().selectAllChildren(source)
    return
  }
  const label = button.firstChild
  const text = label.textContent
  if (text === button.dataset.copied) return
  label.textContent = button.dataset.copied
  announcement.textContent = button.dataset.copied
  setTimeout(() => {
    label.textContent = text
    announcement.textContent = ''
  }, COPIED_MS)
}

const announcement = document.createElement('p')
announcement.setAttribute('aria-live', 'polite')
announcement.className = 'visually-hidden'
document.body.append(announcement)

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button !== null) void copy(button)
})
