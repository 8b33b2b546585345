// Passkeys: asks the browser for one, and sends its answer with the form. Without a script or
// support by the browser, these forms stay hidden, and their pages offer another way.

const canUse =
  'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The challenge to sign, which the server accepts once. */
async function optionsFor(form) {
  const { csrf } = form.elements
  const body = new URLSearchParams({ csrf: csrf.value })
  const answer = await fetch(form.dataset.options, { method: 'POST', body })
  if (!answer.ok) throw new Error(`no options: ${answer.status}`)
  return answer.json()
}

async function answerOf(form) {
  const options = await optionsFor(form)
  const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON } = PublicKeyCredential
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({
          publicKey: parseCreationOptionsFromJSON.call(PublicKeyCredential, options),
        })
      : await navigator.credentials.get({
          publicKey: parseRequestOptionsFromJSON.call(PublicKeyCredential, options),
        })
  return JSON.stringify(credential.toJSON())
}

async function send(form, button) {
  if (!form.reportValidity() || button.getAttribute('aria-disabled') === 'true') return
  const problem = form.querySelector('[data-passkey-problem]')
  problem.hidden = true
  button.setAttribute('aria-disabled', 'true')
  try {
    form.elements.namedItem(form.dataset.field).value = await answerOf(form)
    form.submit()
  } catch {
    // Usually the person has closed the browser's dialog.
    problem.hidden = false
    button.removeAttribute('aria-disabled')
  }
}

// A page restored from the history can ask again.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('form[data-passkey] button'))
    button.removeAttribute('aria-disabled')
})

if (canUse) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const button = form.querySelector('button')
    button.addEventListener('click', () => void send(form, button))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form, button)
    })
    form.hidden = false
  }
}
